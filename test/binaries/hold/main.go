// hold PROGRAM [ARGUMENT]... runs a server and ends it together with the process that started it. That process keeps
// the other end of stdin open without ever writing to it; the operating system closes it however the process dies, even
// by SIGKILL, so this needs no help from it and works with any server on every platform.
package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

// grace is how long a server may take to end by itself once its parent is gone.
const grace = 3 * time.Second

func main() {
	if len(os.Args) < 2 {
		fail("no program named")
	}
	server := exec.Command(os.Args[1], os.Args[2:]...)
	server.Stdout, server.Stderr = os.Stdout, os.Stderr
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT)
	if err := server.Start(); err != nil {
		fail(err.Error())
	}
	go func() {
		for received := range signals {
			_ = server.Process.Signal(received)
		}
	}()
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		_ = server.Process.Signal(syscall.SIGTERM)
		time.Sleep(grace)
		_ = server.Process.Kill()
	}()
	_ = server.Wait()
	os.Exit(max(server.ProcessState.ExitCode(), 0))
}

func fail(message string) {
	fmt.Fprintf(os.Stderr, "hold: %s; use hold PROGRAM [ARGUMENT]...\n", message)
	os.Exit(2)
}
