// Package lifeline ends a process together with the one that started it.
package lifeline

import (
	"io"
	"os"
	"syscall"
	"time"
)

// grace is how long a process may take to end by itself once its parent is gone.
const grace = 3 * time.Second

// Hold watches stdin, whose other end the parent keeps open without ever writing to it. The operating system closes
// that end however the parent dies, even by SIGKILL, so this needs no help from the parent and works on every platform.
func Hold() {
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		_ = syscall.Kill(os.Getpid(), syscall.SIGTERM)
		time.Sleep(grace)
		os.Exit(1)
	}()
}
