package main

import (
	"flag"
	"fmt"
	"net/url"
	"os"
	"os/signal"
	"syscall"

	"go.etcd.io/etcd/server/v3/embed"
)

// runEtcd serves a throw-away store: nothing is synced to disk, because nobody reads it after a crash.
func runEtcd(arguments []string) {
	flags := flag.NewFlagSet("etcd", flag.ExitOnError)
	dataDir := flags.String("data-dir", "", "folder of the store")
	clientURL := flags.String("client-url", "", "where clients connect")
	peerURL := flags.String("peer-url", "", "where peers would connect")
	_ = flags.Parse(arguments)

	config := embed.NewConfig()
	config.Dir = *dataDir
	config.UnsafeNoFsync = true
	config.LogLevel = "error"
	client, peer := parse(*clientURL), parse(*peerURL)
	config.ListenClientUrls, config.AdvertiseClientUrls = []url.URL{client}, []url.URL{client}
	config.ListenPeerUrls, config.AdvertisePeerUrls = []url.URL{peer}, []url.URL{peer}
	config.InitialCluster = config.InitialClusterFromName(config.Name)

	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT)
	etcd, err := embed.StartEtcd(config)
	if err != nil {
		fmt.Fprintf(os.Stderr, "etcd: %v\n", err)
		os.Exit(1)
	}
	select {
	case <-stop:
		etcd.Close()
	case err := <-etcd.Err():
		fmt.Fprintf(os.Stderr, "etcd: %v\n", err)
		os.Exit(1)
	}
}

func parse(text string) url.URL {
	parsed, err := url.Parse(text)
	if err != nil || parsed.Host == "" {
		fmt.Fprintf(os.Stderr, "etcd: %q is not a URL\n", text)
		os.Exit(2)
	}
	return *parsed
}
