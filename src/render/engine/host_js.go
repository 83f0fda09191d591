//go:build js

package main

import (
	"encoding/json"
	"errors"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall/js"
	"time"
	_ "time/tzdata"
)

// maxStackBytes ends a template that includes itself without end before the memory does.
const maxStackBytes = 256 << 20

// gcPercent and memoryLimitBytes spend memory, of which a chart needs little, to save time: the first collection comes at
// 100 MB, which a chart of 1,000 objects does not reach, and from the limit on collections come as often as needed.
const (
	gcPercent        = 2500
	memoryLimitBytes = 512 << 20
)

// The host puts its functions into globalThis.stagedHelmDeployHost and gets the engine's through `ready`.
// See src/render/worker.ts.
func main() {
	debug.SetMaxStack(maxStackBytes)
	debug.SetMemoryLimit(memoryLimitBytes)
	debug.SetGCPercent(gcPercent)
	// Go on js knows today's offset only; the host tells the zone's name.
	if zone, err := time.LoadLocation(os.Getenv("TIME_ZONE")); err == nil {
		time.Local = zone
	}
	value := js.Global().Get("stagedHelmDeployHost")
	host := jsHost{value, value.Get("progress")}
	host.value.Call("ready", map[string]any{
		"render": js.FuncOf(func(_ js.Value, arguments []js.Value) any {
			text := arguments[0].String()
			// Not in this call: a handler that waits for a promise would stop the event loop.
			go func() {
				var request Request
				err := json.Unmarshal([]byte(text), &request)
				var result *Result
				if err == nil {
					result, err = render(request, host)
				}
				host.answer(result, err)
			}()
			return nil
		}),
		"ask": js.FuncOf(func(_ js.Value, arguments []js.Value) any {
			text := arguments[0].String()
			go func() {
				var question Question
				err := json.Unmarshal([]byte(text), &question)
				var result any
				if err == nil {
					result, err = question.answer(host)
				}
				host.answer(result, err)
			}()
			return nil
		}),
		"parse": js.FuncOf(func(_ js.Value, arguments []js.Value) any {
			host.answer(parseStream(arguments[0].String(), arguments[1].String()))
			return nil
		}),
	})
	select {}
}

type jsHost struct {
	value js.Value
	// progress is memory that the host's main thread sees, too.
	progress js.Value
}

func (h jsHost) answer(result any, err error) {
	header, texts := answerTo(result, err)
	joined := []byte(strings.Join(texts, ""))
	bytes := js.Global().Get("Uint8Array").New(len(joined))
	js.CopyBytesToJS(bytes, joined)
	h.value.Call("done", header, bytes)
}

func (h jsHost) Enter(step, name string) {
	h.value.Call("enter", step, name)
}

func (h jsHost) Templates(names []string) {
	text, _ := json.Marshal(names)
	h.value.Call("templates", string(text))
}

func (h jsHost) Finished(count int) {
	h.progress.SetIndex(0, count)
}

func (h jsHost) Again(isOn bool) {
	h.value.Call("again", isOn)
}

// entryFields is how many texts make up an Entry, in its order. JSON would take ten times as long for a large chart.
const entryFields = 6

func (h jsHost) List(paths []string) ([][]Entry, error) {
	asked, _ := json.Marshal(paths)
	answer := h.value.Call("list", string(asked))
	if answer.Type() != js.TypeString {
		return nil, errors.New(answer.Get("message").String())
	}
	fields := strings.Split(answer.String(), "\x00")
	listings := make([][]Entry, len(paths))
	for i := range listings {
		count, _ := strconv.Atoi(fields[0])
		listings[i] = make([]Entry, count)
		for k := range listings[i] {
			entry := fields[1+k*entryFields:]
			size, _ := strconv.ParseInt(entry[4], 10, 64)
			modTime, _ := strconv.ParseFloat(entry[5], 64)
			listings[i][k] = Entry{entry[0], entry[1], entry[2], entry[3], size, modTime}
		}
		fields = fields[1+count*entryFields:]
	}
	return listings, nil
}

// Read takes all files in one piece: a call for each is what makes reading slow here.
func (h jsHost) Read(paths []string) ([][]byte, error) {
	asked, _ := json.Marshal(paths)
	answer := h.value.Call("read", string(asked))
	if message := answer.Get("message"); message.Type() == js.TypeString {
		return nil, errors.New(message.String())
	}
	all := make([]byte, answer.Get("bytes").Length())
	js.CopyBytesToGo(all, answer.Get("bytes"))
	var sizes []int
	if err := json.Unmarshal([]byte(answer.Get("sizes").String()), &sizes); err != nil {
		return nil, err
	}
	contents := make([][]byte, len(sizes))
	for i, size := range sizes {
		contents[i], all = all[:size:size], all[size:]
	}
	return contents, nil
}

func (h jsHost) Lookup(apiVersion, kind, namespace, name string) (string, error) {
	type answer struct {
		text string
		err  error
	}
	answers := make(chan answer, 1)
	found := js.FuncOf(func(_ js.Value, arguments []js.Value) any {
		answers <- answer{text: arguments[0].String()}
		return nil
	})
	defer found.Release()
	failed := js.FuncOf(func(_ js.Value, arguments []js.Value) any {
		answers <- answer{err: errors.New(arguments[0].String())}
		return nil
	})
	defer failed.Release()
	h.value.Call("lookup", apiVersion, kind, namespace, name, found, failed)
	got := <-answers
	return got.text, got.err
}

// rsaKey takes a key from the host, as PKCS#1 PEM: making one in WebAssembly takes seconds.
func (h jsHost) rsaKey(bits int) string {
	return strings.TrimSpace(h.value.Call("rsaKey", bits).String()) + "\n"
}
