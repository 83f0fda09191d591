//go:build !js

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"text/template"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
)

// The native build serves tests: it reads one call from standard input and answers on standard output.
type call struct {
	Render *Request `json:"render"`
	Parse  *struct {
		File string `json:"file"`
		Text string `json:"text"`
	} `json:"parse"`
	Ask *Question `json:"ask"`
	// Key makes a pair of keys that tests sign charts with.
	Key *keyPair `json:"key"`
	// Lookups answers lookup by "apiVersion/kind/namespace/name".
	Lookups map[string]json.RawMessage `json:"lookups"`
}

func main() {
	var asked call
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		fmt.Fprintln(os.Stderr, "reading the call:", err)
		os.Exit(1)
	}
	switch host := (nativeHost{asked.Lookups}); {
	case asked.Render != nil:
		printAnswer(render(*asked.Render, host))
	case asked.Ask != nil:
		printAnswer(asked.Ask.answer(host))
	case asked.Key != nil:
		printAnswer(nil, asked.Key.write())
	default:
		printAnswer(parseStream(asked.Parse.File, asked.Parse.Text))
	}
}

func printAnswer(result any, err error) {
	header, texts := answerTo(result, err)
	_ = json.NewEncoder(os.Stdout).Encode(struct {
		Header string   `json:"header"`
		Texts  []string `json:"texts"`
	}{header, texts})
}

type keyPair struct {
	Name            string    `json:"name"`
	Created         time.Time `json:"created"`
	LifetimeSeconds uint32    `json:"lifetimeSeconds"`
	SecretPath      string    `json:"secretPath"`
	PublicPath      string    `json:"publicPath"`
}

func (k keyPair) write() error {
	config := &packet.Config{
		Algorithm:       packet.PubKeyAlgoEdDSA,
		Time:            func() time.Time { return k.Created },
		KeyLifetimeSecs: k.LifetimeSeconds,
	}
	entity, err := openpgp.NewEntity(k.Name, "", "", config)
	if err != nil {
		return err
	}
	var secret, public bytes.Buffer
	if err := errors.Join(entity.SerializePrivate(&secret, config), entity.Serialize(&public)); err != nil {
		return err
	}
	return errors.Join(os.WriteFile(k.SecretPath, secret.Bytes(), 0o600), os.WriteFile(k.PublicPath, public.Bytes(), 0o600))
}

type nativeHost struct {
	lookups map[string]json.RawMessage
}

func (h nativeHost) Lookup(apiVersion, kind, namespace, name string) (string, error) {
	return string(h.lookups[apiVersion+"/"+kind+"/"+namespace+"/"+name]), nil
}

func (nativeHost) Enter(string, string) {}

func (nativeHost) Templates([]string) {}

func (nativeHost) Finished(int) {}

// Again leaves the clock as it is: a process of its own cannot change it.
func (nativeHost) Again(bool) {}

func (nativeHost) List(paths []string) ([][]Entry, error) {
	listings := make([][]Entry, len(paths))
	for i, path := range paths {
		names, err := os.ReadDir(path)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			entry, err := entryOf(path, name)
			if err != nil {
				return nil, err
			}
			listings[i] = append(listings[i], entry)
		}
	}
	return listings, nil
}

func entryOf(folder string, name os.DirEntry) (Entry, error) {
	entry := Entry{Name: name.Name(), Kind: "other"}
	path := filepath.Join(folder, entry.Name)
	if name.Type()&os.ModeSymlink != 0 {
		target, err := filepath.EvalSymlinks(path)
		if err != nil {
			entry.Broken = "it leads nowhere"
			return entry, nil
		}
		entry.Target = target
	}
	info, err := os.Stat(path)
	if err != nil {
		return entry, err
	}
	switch {
	case info.IsDir():
		entry.Kind = "directory"
	case info.Mode().IsRegular():
		entry.Kind = "file"
	}
	entry.Size = info.Size()
	entry.ModTime = float64(info.ModTime().UnixMilli())
	return entry, nil
}

func (nativeHost) Read(paths []string) ([][]byte, error) {
	contents := make([][]byte, len(paths))
	for i, path := range paths {
		var err error
		if contents[i], err = os.ReadFile(path); err != nil {
			return nil, err
		}
	}
	return contents, nil
}

func keyFuncs(Host, map[string]any) template.FuncMap { return nil }
