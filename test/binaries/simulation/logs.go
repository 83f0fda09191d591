package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/cert"
)

// followInterval is how often a followed log looks whether its container has ended.
const followInterval = 200 * time.Millisecond

// serveLogs is the part of a kubelet that answers for container logs. kwok's own log server picks a log by pod name
// only and never ends a followed log, so it can neither tell failing pods from others nor show the end of a hook.
func serveLogs(config *rest.Config, address string) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	certificate, key, err := cert.GenerateSelfSignedCertKey("127.0.0.1", []net.IP{net.IPv4(127, 0, 0, 1)}, nil)
	if err != nil {
		return err
	}
	pair, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		return err
	}
	routes := http.NewServeMux()
	routes.HandleFunc("GET /containerLogs/{namespace}/{pod}/{container}", func(w http.ResponseWriter, r *http.Request) {
		writeLogs(w, r, client)
	})
	server := &http.Server{Handler: routes, TLSConfig: &tls.Config{Certificates: []tls.Certificate{pair}}}
	go func() { exitOn(server.ServeTLS(listener, "", "")) }()
	return nil
}

func writeLogs(w http.ResponseWriter, r *http.Request, client kubernetes.Interface) {
	namespace, name, container := r.PathValue("namespace"), r.PathValue("pod"), r.PathValue("container")
	pod, err := client.CoreV1().Pods(namespace).Get(r.Context(), name, metav1.GetOptions{})
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	query := r.URL.Query()
	lines, problem := logLines(pod, container, query.Get("previous") == "true")
	if problem != "" {
		http.Error(w, problem, http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "text/plain")
	_, _ = w.Write([]byte(selectLines(lines, query.Get("tailLines"), query.Get("limitBytes"), query.Get("timestamps") == "true", pod)))
	if query.Get("follow") == "true" {
		_ = http.NewResponseController(w).Flush()
		waitForEnd(r.Context(), client, pod, container)
	}
}

// logLines gives what the container has written; the problem is worded as a kubelet words it.
func logLines(pod *corev1.Pod, container string, previous bool) ([]string, string) {
	status := statusOf(pod, container)
	state := status.State
	if previous {
		state = status.LastTerminationState
		if state.Terminated == nil {
			return nil, fmt.Sprintf("previous terminated container %q in pod %q not found", container, pod.Name)
		}
	} else if state.Waiting != nil && status.LastTerminationState.Terminated == nil {
		return nil, fmt.Sprintf("container %q in pod %q is waiting to start: %s", container, pod.Name, state.Waiting.Reason)
	}

	if text, found := pod.Annotations[annotationPrefix+"logs"]; found {
		return strings.Split(strings.TrimSuffix(text, "\n"), "\n"), ""
	}
	run := status.RestartCount
	if previous && run > 0 {
		run--
	}
	lines := []string{fmt.Sprintf("%s: starting, run %d", container, run), container + ": working"}
	switch scenario := pod.Annotations[annotationPrefix+"scenario"]; scenario {
	case "fail", "crash-loop":
		lines = append(lines, container+": fatal: simulated failure, exit code 1")
	case "never-ready":
		lines = append(lines, container+": waiting for something that never comes")
	default:
		if pod.Status.Phase == corev1.PodSucceeded {
			lines = append(lines, container+": done")
		}
	}
	return lines, ""
}

func statusOf(pod *corev1.Pod, container string) corev1.ContainerStatus {
	for _, status := range append(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses...) {
		if status.Name == container {
			return status
		}
	}
	return corev1.ContainerStatus{}
}

func selectLines(lines []string, tail, limit string, stamped bool, pod *corev1.Pod) string {
	if count, err := strconv.Atoi(tail); err == nil && count < len(lines) {
		lines = lines[len(lines)-count:]
	}
	started := pod.CreationTimestamp.Time
	if pod.Status.StartTime != nil {
		started = pod.Status.StartTime.Time
	}
	var text strings.Builder
	for _, line := range lines {
		if stamped {
			text.WriteString(started.UTC().Format(time.RFC3339Nano) + " ")
		}
		text.WriteString(line + "\n")
	}
	if bytes, err := strconv.Atoi(limit); err == nil && bytes < text.Len() {
		return text.String()[:bytes]
	}
	return text.String()
}

func waitForEnd(ctx context.Context, client kubernetes.Interface, pod *corev1.Pod, container string) {
	for statusOf(pod, container).State.Running != nil {
		select {
		case <-ctx.Done():
			return
		case <-time.After(followInterval):
		}
		latest, err := client.CoreV1().Pods(pod.Namespace).Get(ctx, pod.Name, metav1.GetOptions{})
		if err != nil || latest.UID != pod.UID {
			return
		}
		pod = latest
	}
}
