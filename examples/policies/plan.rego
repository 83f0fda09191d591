# What must not be deployed without a word: see docs/plan-json.md.
#
#     conftest test --policy examples/policies plan.json
package main

import rego.v1

# Kinds that hold data, or take other objects with them.
precious := {"CustomResourceDefinition", "Namespace", "PersistentVolume", "PersistentVolumeClaim", "StatefulSet"}

operations contains operation if {
	some release in input.releases
	some stage in release.stages
	some group in stage.groups
	some rank in group.ranks
	some operation in rank
}

deny contains "this policy reads plans of version 2" if input.version != 2

deny contains message if {
	some release in input.releases
	not release.isPlanned
	message := sprintf("%s in %s could not be planned", [release.release, release.namespace])
}

deny contains message if {
	some operation in operations
	goes_away(operation)
	operation.ref.kind in precious
	message := sprintf("%s is deleted", [named(operation.ref)])
}

deny contains message if {
	some operation in operations
	some grant in operation.impact.access.gained
	"wildcard" in all_marks(grant)
	message := sprintf("%s gives rights by wildcard", [named(operation.ref)])
}

deny contains message if {
	some operation in operations
	some path, image
	walk(operation.after, [path, image])
	path[count(path) - 1] == "image"
	is_string(image)
	moves(image)
	message := sprintf("%s runs %s, which may be another image tomorrow", [named(operation.ref), image])
}

# Nothing is blocked for it, and the reviewer should know.
warn contains message if {
	some operation in operations
	some mark in {"escalate", "bind", "impersonate", "cluster-admin"}
	some grant in operation.impact.access.gained
	mark in all_marks(grant)
	message := sprintf("%s gives the right to extend rights (%s)", [named(operation.ref), mark])
}

goes_away(operation) if operation.kind == "delete"

goes_away(operation) if operation.change == "recreate"

all_marks(grant) := {mark | some mark in grant.marks} | {mark |
	some permission in grant.permissions
	some mark in permission.marks
}

# The tag `latest`, or neither a tag nor a digest.
moves(image) if endswith(image, ":latest")

moves(image) if {
	parts := split(image, "/")
	name := parts[count(parts) - 1]
	not contains(name, ":")
	not contains(name, "@")
}

named(ref) := sprintf("%s/%s/%s", [ref.kind, ref.namespace, ref.name])

named(ref) := sprintf("%s/%s", [ref.kind, ref.name]) if not ref.namespace
