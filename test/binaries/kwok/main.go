// The kubelets of the simulated nodes: kwok plays the stages of pods and volumes; what stages cannot do, container
// logs and controllers for custom resources whose kinds appear at run time, is added beside it in the same process.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/pflag"
	"github.com/staged-helm-deploy/test/lifeline"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/kwok/pkg/config"
	"sigs.k8s.io/kwok/pkg/kwok/cmd"
	"sigs.k8s.io/kwok/pkg/log"
	"sigs.k8s.io/kwok/pkg/utils/signals"
)

// annotationPrefix is what the simulation reads on pods and custom resources. Keep it equal to test/cluster/simulation.
const annotationPrefix = "simulate.staged-helm-deploy.dev/"

func main() {
	lifeline.Hold()
	flags := pflag.NewFlagSet("global", pflag.ContinueOnError)
	flags.ParseErrorsAllowlist.UnknownFlags = true
	flags.Usage = func() {}

	ctx, _ := log.InitFlags(signals.SetupSignalContext(), flags)
	ctx, err := config.InitFlags(ctx, flags)
	exitOn(err)
	exitOn(startBeside(ctx))

	command := cmd.NewCommand(ctx)
	command.PersistentFlags().AddFlagSet(flags)
	exitOn(command.ExecuteContext(ctx))
}

// startBeside takes its two settings from the environment, because the arguments are kwok's own.
func startBeside(ctx context.Context) error {
	client, err := clientcmd.BuildConfigFromFlags("", os.Getenv("SIMULATION_KUBECONFIG"))
	if err != nil {
		return err
	}
	client.QPS, client.Burst = 500, 1000
	if err := serveLogs(rest.CopyConfig(client), os.Getenv("SIMULATION_KUBELET_ADDRESS")); err != nil {
		return err
	}
	return runOperator(ctx, client)
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "kwok: %v\n", err)
		os.Exit(1)
	}
}
