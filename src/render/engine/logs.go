package main

import (
	"bytes"
	"context"
	"log"
	"log/slog"
	"strings"
	"sync"
)

// logs collects what Helm would print to standard error: slog from level info on, and the old log package.
type logs struct {
	mutex    sync.Mutex
	lines    []string
	previous *slog.Logger
}

func captureLogs() *logs {
	captured := &logs{previous: slog.Default()}
	slog.SetDefault(slog.New(captured))
	log.SetFlags(0)
	log.SetOutput(captured)
	return captured
}

func (l *logs) release() {
	slog.SetDefault(l.previous)
}

// texts gives each line once, in the order of its first appearance.
func (l *logs) texts() []string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	seen := map[string]bool{}
	texts := []string{}
	for _, line := range l.lines {
		if !seen[line] {
			seen[line] = true
			texts = append(texts, line)
		}
	}
	return texts
}

func (l *logs) add(line string) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.lines = append(l.lines, line)
}

func (l *logs) Write(text []byte) (int, error) {
	l.add(string(bytes.TrimSpace(text)))
	return len(text), nil
}

func (l *logs) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelInfo }

func (l *logs) Handle(_ context.Context, record slog.Record) error {
	var text strings.Builder
	text.WriteString(record.Message)
	record.Attrs(func(attribute slog.Attr) bool {
		text.WriteString(" " + attribute.String())
		return true
	})
	l.add(text.String())
	return nil
}

func (l *logs) WithAttrs([]slog.Attr) slog.Handler { return l }

func (l *logs) WithGroup(string) slog.Handler { return l }
