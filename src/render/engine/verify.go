package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/ProtonMail/go-crypto/openpgp/clearsign"
	pgperrors "github.com/ProtonMail/go-crypto/openpgp/errors"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
	"helm.sh/helm/v4/pkg/chart/loader/archive"
	"helm.sh/helm/v4/pkg/provenance"
)

const (
	maxKeyringBytes    = 16 << 20
	maxProvenanceBytes = 1 << 20
)

// VerifyRequest asks whether provenance is signed by a key of the keyring, and names this archive.
type VerifyRequest struct {
	ArchivePath string `json:"archivePath"`
	// FileName is under what name the archive was published.
	FileName    string `json:"fileName"`
	Provenance  string `json:"provenance"`
	KeyringPath string `json:"keyringPath"`
}

type Verified struct {
	SignedBy string `json:"signedBy"`
}

// verify is Helm's VerifyChart with a sentence for each failure. Source: pkg/downloader, chart_downloader.go.
func verify(asked VerifyRequest, host Host) (*Verified, error) {
	host.Enter("verify", asked.ArchivePath)
	name := asked.FileName
	if len(asked.Provenance) > maxProvenanceBytes {
		return nil, fmt.Errorf("the provenance of %s is larger than %d MiB", name, maxProvenanceBytes>>20)
	}
	if err := checkFile(asked.KeyringPath, maxKeyringBytes); err != nil {
		return nil, fmt.Errorf("the keyring %s cannot be read: %w", asked.KeyringPath, err)
	}
	ring, err := provenance.NewFromKeyring(asked.KeyringPath, "")
	if err != nil {
		return nil, fmt.Errorf("the keyring %s holds no public keys that can be read: %w", asked.KeyringPath, err)
	}
	if len(ring.KeyRing) == 0 {
		return nil, fmt.Errorf("the keyring %s holds no public keys", asked.KeyringPath)
	}
	if err := checkFile(asked.ArchivePath, archive.MaxDecompressedChartSize); err != nil {
		return nil, fmt.Errorf("the archive %s cannot be read: %w", asked.ArchivePath, err)
	}
	data, err := os.ReadFile(asked.ArchivePath)
	if err != nil {
		return nil, fmt.Errorf("the archive %s cannot be read: %w", asked.ArchivePath, err)
	}
	verified, err := ring.Verify(data, []byte(asked.Provenance), name)
	if err != nil {
		return nil, explainRefusal(err, asked, name)
	}
	return &Verified{SignedBy: signerOf(verified)}, nil
}

// checkFile keeps devices and files without end from being read.
func checkFile(path string, maxBytes int64) error {
	info, err := os.Stat(path)
	if err != nil {
		if pathError, ok := errors.AsType[*os.PathError](err); ok {
			return pathError.Err
		}
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("it is not a file")
	}
	if info.Size() > maxBytes {
		return fmt.Errorf("it is larger than %d MiB", maxBytes>>20)
	}
	return nil
}

func explainRefusal(err error, asked VerifyRequest, name string) error {
	switch {
	case err.Error() == "signature block not found":
		return fmt.Errorf("the provenance of %s holds no signature", name)
	case errors.Is(err, pgperrors.ErrUnknownIssuer):
		return fmt.Errorf("%s is signed by %s, which is not in the keyring %s", name, issuerOf(asked.Provenance), asked.KeyringPath)
	case errors.Is(err, pgperrors.ErrSignatureExpired):
		return fmt.Errorf("the signature of %s has expired", name)
	case errors.Is(err, pgperrors.ErrKeyExpired):
		return fmt.Errorf("the key that signed %s has expired", name)
	case errors.Is(err, pgperrors.ErrKeyRevoked):
		return fmt.Errorf("the key that signed %s was revoked", name)
	case strings.HasPrefix(err.Error(), "provenance does not contain a SHA for a file named"):
		return fmt.Errorf("the provenance is signed, but for another file than %s", name)
	case strings.HasPrefix(err.Error(), "sha256 sum does not match for"):
		return fmt.Errorf("the archive %s is not the one that was signed: its SHA-256 is another", name)
	}
	return fmt.Errorf("the signature of %s is not valid: %w", name, err)
}

func issuerOf(text string) string {
	block, _ := clearsign.Decode([]byte(text))
	for packets := packet.NewReader(block.ArmoredSignature.Body); ; {
		next, err := packets.Next()
		if err != nil {
			return "an unknown key"
		}
		if signature, ok := next.(*packet.Signature); ok && signature.IssuerKeyId != nil {
			return fmt.Sprintf("the key %016X", *signature.IssuerKeyId)
		}
	}
}

// signerOf names the key, by its fingerprint where it has no names.
func signerOf(verified *provenance.Verification) string {
	var names []string
	for name := range verified.SignedBy.Identities {
		names = append(names, name)
	}
	if len(names) == 0 {
		return fmt.Sprintf("%X", verified.SignedBy.PrimaryKey.Fingerprint)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
