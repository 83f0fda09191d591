package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/distribution/distribution/v3/registry/auth/token"
	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

const (
	issuer    = "tests"
	service   = "registry.test"
	keyID     = "tests"
	tokenPath = "/token"
	// How long a token is good for. Source: the default of Docker's token server.
	lifetime = time.Minute
)

// tokenServer gives out tokens as Docker's specification asks for: by GET with a password, or by POST (OAuth 2).
type tokenServer struct {
	settings settings
	key      *ecdsa.PrivateKey
	signer   jose.Signer
}

func newTokenServer(settings settings) (*tokenServer, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	signingKey := jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: key, KeyID: keyID}}
	signer, err := jose.NewSigner(signingKey, nil)
	return &tokenServer{settings: settings, key: key, signer: signer}, err
}

func (s *tokenServer) publicKeys() jose.JSONWebKeySet {
	public := jose.JSONWebKey{Key: s.key.Public(), KeyID: keyID, Algorithm: string(jose.ES256), Use: "sig"}
	return jose.JSONWebKeySet{Keys: []jose.JSONWebKey{public}}
}

func (s *tokenServer) ServeHTTP(writer http.ResponseWriter, request *http.Request) {
	if request.URL.Path != tokenPath || request.ParseForm() != nil {
		http.NotFound(writer, request)
		return
	}
	subject, isKnown := s.subjectOf(request)
	if !isKnown {
		writer.Header().Set("Content-Type", "application/json")
		writer.WriteHeader(http.StatusUnauthorized)
		_, _ = writer.Write([]byte(`{"errors":[{"code":"UNAUTHORIZED","message":"incorrect username or password"}]}`))
		return
	}
	raw, err := s.tokenFor(subject, scopesOf(request))
	if err != nil {
		http.Error(writer, err.Error(), http.StatusInternalServerError)
		return
	}
	writer.Header().Set("Content-Type", "application/json")
	answer := map[string]any{"token": raw, "expires_in": int(lifetime.Seconds())}
	if request.Method == http.MethodPost {
		answer = map[string]any{"access_token": raw, "expires_in": int(lifetime.Seconds())}
	}
	_ = json.NewEncoder(writer).Encode(answer)
}

// subjectOf gives who asks: the empty name for somebody who does not say.
func (s *tokenServer) subjectOf(request *http.Request) (string, bool) {
	if request.Method == http.MethodPost {
		switch request.PostForm.Get("grant_type") {
		case "refresh_token":
			given := request.PostForm.Get("refresh_token")
			return s.settings.user, s.settings.identityToken != "" && given == s.settings.identityToken
		case "password":
			return s.userWith(request.PostForm.Get("username"), request.PostForm.Get("password"))
		}
		return "", false
	}
	user, password, isGiven := request.BasicAuth()
	if !isGiven {
		return "", true
	}
	return s.userWith(user, password)
}

func (s *tokenServer) userWith(user, password string) (string, bool) {
	return user, user == s.settings.user && password == s.settings.password
}

// scopesOf: by GET one parameter each, by POST one text with spaces.
func scopesOf(request *http.Request) []string {
	return strings.Fields(strings.Join(request.Form["scope"], " "))
}

func (s *tokenServer) tokenFor(subject string, scopes []string) (string, error) {
	now := time.Now()
	claims := token.ClaimSet{
		Issuer: issuer, Subject: subject, Audience: token.AudienceList{service},
		Expiration: now.Add(lifetime).Unix(), NotBefore: now.Unix(), IssuedAt: now.Unix(),
	}
	for _, scope := range scopes {
		parts := strings.Split(scope, ":")
		if len(parts) < 3 {
			continue
		}
		// The name of a repository may hold a port.
		name, last := strings.Join(parts[1:len(parts)-1], ":"), parts[len(parts)-1]
		granted := []string{}
		for _, action := range strings.Split(last, ",") {
			if subject != "" || (s.settings.pulledByAll && action == "pull") {
				granted = append(granted, action)
			}
		}
		claims.Access = append(claims.Access, &token.ResourceActions{Type: parts[0], Name: name, Actions: granted})
	}
	return jwt.Signed(s.signer).Claims(claims).Serialize()
}
