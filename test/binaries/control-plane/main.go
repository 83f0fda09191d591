// One binary with every server of a Kubernetes control plane; the first argument says which one this process is, and
// the rest are that server's own arguments. They share a binary because they share nearly all of their code, and run as
// one process each because Kubernetes allows only one of them to install signal handlers.
package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
)

func main() {
	if len(os.Args) < 2 {
		fail("no component named")
	}
	component := os.Args[1]
	os.Args = append([]string{component}, os.Args[2:]...)

	switch component {
	case "etcd":
		etcdmain.Main(os.Args)
	case "kube-apiserver":
		run(apiserver.NewAPIServerCommand())
	case "kube-controller-manager":
		run(controllermanager.NewControllerManagerCommand())
	case "kube-scheduler":
		run(scheduler.NewSchedulerCommand())
	default:
		fail("unknown component " + component)
	}
}

func run(command *cobra.Command) {
	os.Exit(cli.Run(command))
}

func fail(message string) {
	fmt.Fprintf(os.Stderr, "control-plane: %s; use etcd, kube-apiserver, kube-controller-manager or kube-scheduler\n", message)
	os.Exit(2)
}
