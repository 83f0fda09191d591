// What the stages of kwok cannot do for the simulated nodes and their objects: container logs, and controllers for
// custom resources whose kinds appear at run time.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// annotationPrefix is what the simulation reads on pods and custom resources. Keep it equal to src/tools/local/cluster/simulation/kwok-stage.ts.
const annotationPrefix = "simulate.staged-helm-deploy.dev/"

func main() {
	kubeconfig := flag.String("kubeconfig", "", "file that tells the API server and the account")
	logs := flag.String("log-address", "", "host and port where container logs are served, as by a kubelet")
	flag.Parse()

	client, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	exitOn(err)
	client.QPS, client.Burst = 500, 1000
	exitOn(serveLogs(rest.CopyConfig(client), *logs))
	exitOn(runOperator(context.Background(), client))
	select {}
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "simulation: %v\n", err)
		os.Exit(1)
	}
}
