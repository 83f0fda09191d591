package main

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

const (
	// demoGroup holds the custom resources that have a controller here: any kind, whenever its definition appears.
	demoGroup = "demo.staged-helm-deploy.dev"
	// reconcileDelay is how long a custom resource takes to become ready unless its annotation says otherwise.
	reconcileDelay = time.Second
)

// runOperator plays the controller of every kind in demoGroup. kwok's stages need each kind when they start.
func runOperator(ctx context.Context, config *rest.Config) error {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	running := map[types.UID]context.CancelFunc{}
	var guard sync.Mutex
	definitions := schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	watch(ctx, client, definitions, func(definition *unstructured.Unstructured, isGone bool) {
		guard.Lock()
		defer guard.Unlock()
		stop, isRunning := running[definition.GetUID()]
		if isGone && isRunning {
			stop()
			delete(running, definition.GetUID())
		}
		resource, isOurs := served(definition)
		if isGone || isRunning || !isOurs {
			return
		}
		kindCtx, cancel := context.WithCancel(ctx)
		running[definition.GetUID()] = cancel
		watch(kindCtx, client, resource, func(object *unstructured.Unstructured, isGone bool) {
			if !isGone {
				go reconcile(kindCtx, client.Resource(resource).Namespace(object.GetNamespace()), object)
			}
		})
	})
	return nil
}

func watch(ctx context.Context, client dynamic.Interface, resource schema.GroupVersionResource, handle func(*unstructured.Unstructured, bool)) {
	informer := dynamicinformer.NewFilteredDynamicInformer(client, resource, metav1.NamespaceAll, 0, cache.Indexers{}, nil).Informer()
	_, _ = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { handle(object.(*unstructured.Unstructured), false) },
		UpdateFunc: func(_, object any) { handle(object.(*unstructured.Unstructured), false) },
		DeleteFunc: func(object any) {
			if last, isObject := object.(*unstructured.Unstructured); isObject {
				handle(last, true)
			}
		},
	})
	go informer.Run(ctx.Done())
}

// served names the version to watch of an established definition with a status subresource; without one there is
// nothing a controller could report.
func served(definition *unstructured.Unstructured) (schema.GroupVersionResource, bool) {
	group, _, _ := unstructured.NestedString(definition.Object, "spec", "group")
	plural, _, _ := unstructured.NestedString(definition.Object, "spec", "names", "plural")
	versions, _, _ := unstructured.NestedSlice(definition.Object, "spec", "versions")
	if group != demoGroup || !isTrue(definition, "Established") {
		return schema.GroupVersionResource{}, false
	}
	for _, entry := range versions {
		version, _ := entry.(map[string]any)
		_, hasStatus, _ := unstructured.NestedMap(version, "subresources", "status")
		if name, _ := version["name"].(string); version["served"] == true && hasStatus {
			return schema.GroupVersionResource{Group: group, Version: name, Resource: plural}, true
		}
	}
	return schema.GroupVersionResource{}, false
}

func isTrue(object *unstructured.Unstructured, conditionType string) bool {
	conditions, _, _ := unstructured.NestedSlice(object.Object, "status", "conditions")
	for _, entry := range conditions {
		condition, _ := entry.(map[string]any)
		if condition["type"] == conditionType {
			return condition["status"] == "True"
		}
	}
	return false
}

// reconcile reports a new generation as seen at once and as ready after a while, as a real controller would.
func reconcile(ctx context.Context, client dynamic.ResourceInterface, object *unstructured.Unstructured) {
	scenario := object.GetAnnotations()[annotationPrefix+"scenario"]
	observed, _, _ := unstructured.NestedInt64(object.Object, "status", "observedGeneration")
	if scenario == "no-status" || observed == object.GetGeneration() || object.GetDeletionTimestamp() != nil {
		return
	}
	delay, err := time.ParseDuration(object.GetAnnotations()[annotationPrefix+"ready-after"])
	if err != nil {
		delay = reconcileDelay
	}
	report(ctx, client, object, "False", "Reconciling", "work on this generation has begun")
	select {
	case <-ctx.Done():
		return
	case <-time.After(delay):
	}
	latest, err := client.Get(ctx, object.GetName(), metav1.GetOptions{})
	if err != nil || latest.GetUID() != object.GetUID() || latest.GetGeneration() != object.GetGeneration() {
		return
	}
	switch scenario {
	case "never-ready":
	case "fail":
		report(ctx, client, object, "False", "ReconcileFailed", "simulated failure")
	default:
		report(ctx, client, object, "True", "Reconciled", "all is as asked for")
	}
}

func report(ctx context.Context, client dynamic.ResourceInterface, object *unstructured.Unstructured, status, reason, message string) {
	patch, _ := json.Marshal(map[string]any{"status": map[string]any{
		"observedGeneration": object.GetGeneration(),
		"conditions": []any{map[string]any{
			"type": "Ready", "status": status, "reason": reason, "message": message,
			"observedGeneration": object.GetGeneration(), "lastTransitionTime": time.Now().UTC().Format(time.RFC3339),
		}},
	}})
	_, err := client.Patch(ctx, object.GetName(), types.MergePatchType, patch, metav1.PatchOptions{FieldManager: "demo-controller"}, "status")
	if err != nil && !apierrors.IsNotFound(err) && ctx.Err() == nil {
		println("demo controller:", err.Error())
	}
}
