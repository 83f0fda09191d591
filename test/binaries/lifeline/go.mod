module github.com/staged-helm-deploy/test/lifeline

go 1.26.0
