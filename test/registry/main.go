// registry is a real OCI registry for tests, in memory: the `distribution` that Docker's own image runs.
//
//	registry [FLAGS]
//
// It prints where it listens as one line of JSON, and ends with its standard input.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/distribution/distribution/v3/configuration"
	_ "github.com/distribution/distribution/v3/registry/auth/htpasswd"
	_ "github.com/distribution/distribution/v3/registry/auth/token"
	"github.com/distribution/distribution/v3/registry/handlers"
	_ "github.com/distribution/distribution/v3/registry/storage/driver/inmemory"
	"github.com/sirupsen/logrus"
	"golang.org/x/crypto/bcrypt"
)

func main() {
	if err := serve(os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "registry: %v\n", err)
		os.Exit(1)
	}
}

// settings are the flags.
type settings struct {
	login         string
	user          string
	password      string
	identityToken string
	pulledByAll   bool
	tls           string
	realm         string
	pageSize      int
}

// addresses is what is printed.
type addresses struct {
	Registry string `json:"registry"`
	Tokens   string `json:"tokens,omitempty"`
	Control  string `json:"control"`
}

func serve(args []string) error {
	settings, err := parse(args)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "registry-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	logrus.SetOutput(io.Discard)

	journal := &journal{}
	config := configurationFor(settings)
	printed := addresses{}
	switch settings.login {
	case "basic":
		if err := askForPassword(config, settings, folder); err != nil {
			return err
		}
	case "token":
		tokens, err := newTokenServer(settings)
		if err != nil {
			return err
		}
		// By another name and another port than the registry's, as Docker Hub's.
		port, err := listen(settings, journal.keep("tokens", tokens))
		if err != nil {
			return err
		}
		printed.Tokens = fmt.Sprintf("localhost:%d", port)
		realm := settings.realm
		if realm == "" {
			realm = schemeOf(settings) + "://" + printed.Tokens
		}
		if err := askForToken(config, tokens, realm+tokenPath, folder); err != nil {
			return err
		}
	}
	port, err := listen(settings, journal.keep("registry", handlers.NewApp(context.Background(), config)))
	if err != nil {
		return err
	}
	printed.Registry = fmt.Sprintf("127.0.0.1:%d", port)
	settings.tls = ""
	if port, err = listen(settings, journal); err != nil {
		return err
	}
	printed.Control = fmt.Sprintf("127.0.0.1:%d", port)
	if err := json.NewEncoder(os.Stdout).Encode(printed); err != nil {
		return err
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
	return nil
}

func parse(args []string) (settings, error) {
	var parsed settings
	var user string
	flags := flag.NewFlagSet("registry", flag.ContinueOnError)
	flags.StringVar(&parsed.login, "login", "none", "`none`, basic or token (of a server of its own)")
	flags.StringVar(&user, "user", "", "`name:password` of the one who may pull and push")
	flags.StringVar(&parsed.identityToken, "identity-token", "", "taken by the token server in place of the password")
	flags.BoolVar(&parsed.pulledByAll, "pulled-by-all", false, "the token server lets everybody pull")
	flags.StringVar(&parsed.realm, "realm", "", "`address` by which clients reach the token server, through a proxy")
	flags.StringVar(&parsed.tls, "tls", "", "`folder` with certificate.pem and key.pem; plain HTTP without")
	flags.IntVar(&parsed.pageSize, "page-size", 100, "how many tags are listed at once")
	if err := flags.Parse(args); err != nil {
		return parsed, err
	}
	parsed.user, parsed.password, _ = strings.Cut(user, ":")
	return parsed, nil
}

func configurationFor(settings settings) *configuration.Configuration {
	return &configuration.Configuration{
		Storage: configuration.Storage{
			"inmemory":    {},
			"maintenance": {"uploadpurging": map[any]any{"enabled": false}},
		},
		Tags:    configuration.Tags{MaxTags: settings.pageSize},
		Catalog: configuration.Catalog{MaxEntries: settings.pageSize},
		Auth:    configuration.Auth{},
	}
}

func askForPassword(config *configuration.Configuration, settings settings, folder string) error {
	hash, err := bcrypt.GenerateFromPassword([]byte(settings.password), bcrypt.MinCost)
	if err != nil {
		return err
	}
	path := filepath.Join(folder, "htpasswd")
	config.Auth["htpasswd"] = configuration.Parameters{"realm": "registry", "path": path}
	return os.WriteFile(path, fmt.Appendf(nil, "%s:%s\n", settings.user, hash), 0o600)
}

func askForToken(config *configuration.Configuration, tokens *tokenServer, realm, folder string) error {
	path := filepath.Join(folder, "keys.json")
	config.Auth["token"] = configuration.Parameters{
		"realm": realm, "issuer": issuer, "service": service, "jwks": path,
	}
	keys, err := json.Marshal(tokens.publicKeys())
	if err != nil {
		return err
	}
	return os.WriteFile(path, keys, 0o600)
}

func schemeOf(settings settings) string {
	if settings.tls == "" {
		return "http"
	}
	return "https"
}

// listen serves on a free port of the loopback address, and gives it.
func listen(settings settings, handler http.Handler) (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	server := &http.Server{Handler: handler, ErrorLog: silent}
	go func() {
		if settings.tls == "" {
			fail(server.Serve(listener))
		}
		fail(server.ServeTLS(listener, filepath.Join(settings.tls, "certificate.pem"), filepath.Join(settings.tls, "key.pem")))
	}()
	return listener.Addr().(*net.TCPAddr).Port, nil
}

func fail(err error) {
	fmt.Fprintf(os.Stderr, "registry: %v\n", err)
	os.Exit(1)
}
