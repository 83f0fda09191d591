//go:build js

package main

import (
	"reflect"
	"text/template"
)

// Key lengths of sprig's own functions, in bits. Source: sprig v3.3.0, crypto.go.
const (
	certificateKeyBits = 2048
	privateKeyBits     = 4096
)

// keyFuncs replace sprig's functions that make RSA keys by its variants that take one.
func keyFuncs(host Host, original map[string]any) template.FuncMap {
	keys := host.(jsHost)
	genPrivateKey := original["genPrivateKey"].(func(string) string)
	funcs := template.FuncMap{
		"genPrivateKey": func(kind string) string {
			if kind == "" || kind == "rsa" {
				return keys.rsaKey(privateKeyBits)
			}
			return genPrivateKey(kind)
		},
	}
	for _, name := range []string{"genCA", "genSelfSignedCert", "genSignedCert"} {
		withKey := reflect.ValueOf(original[name+"WithKey"])
		// sprig's certificate type is private: the signature is taken from the original.
		made := reflect.MakeFunc(reflect.TypeOf(original[name]), func(arguments []reflect.Value) []reflect.Value {
			return withKey.Call(append(arguments, reflect.ValueOf(keys.rsaKey(certificateKeyBits))))
		})
		funcs[name] = made.Interface()
	}
	return funcs
}
