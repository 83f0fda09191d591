package main

import (
	"encoding/json"
	"io"
	"log"
	"net/http"
	"sync"
)

// silent takes what the server of Go says of clients that do not trust it, which tests bring about.
var silent = log.New(io.Discard, "", 0)

// journal keeps every request that was answered. It is served at an address of its own: GET reads it, DELETE empties it.
type journal struct {
	mutex   sync.Mutex
	entries []entry
}

type entry struct {
	Server        string `json:"server"`
	Method        string `json:"method"`
	Host          string `json:"host"`
	Path          string `json:"path"`
	Authorization string `json:"authorization"`
	Status        int    `json:"status"`
}

// keep notes the requests to a server.
func (j *journal) keep(server string, handler http.Handler) http.Handler {
	return http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		recorder := &recorder{ResponseWriter: writer, status: http.StatusOK}
		noted := entry{
			Server: server, Method: request.Method, Host: request.Host, Path: request.URL.RequestURI(),
			Authorization: request.Header.Get("Authorization"),
		}
		// Before the client has the whole answer, so that it finds it here.
		recorder.noted = func(status int) {
			noted.Status = status
			j.mutex.Lock()
			defer j.mutex.Unlock()
			j.entries = append(j.entries, noted)
		}
		handler.ServeHTTP(recorder, request)
		recorder.once.Do(func() { recorder.noted(recorder.status) })
	})
}

func (j *journal) ServeHTTP(writer http.ResponseWriter, request *http.Request) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	if request.Method == http.MethodDelete {
		j.entries = nil
		return
	}
	entries := j.entries
	if entries == nil {
		entries = []entry{}
	}
	_ = json.NewEncoder(writer).Encode(entries)
}

type recorder struct {
	http.ResponseWriter
	status int
	once   sync.Once
	noted  func(status int)
}

func (r *recorder) WriteHeader(status int) {
	r.once.Do(func() { r.noted(status) })
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(bytes []byte) (int, error) {
	r.once.Do(func() { r.noted(http.StatusOK) })
	return r.ResponseWriter.Write(bytes)
}

// Unwrap lets http.ResponseController find what the writer below can do.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
