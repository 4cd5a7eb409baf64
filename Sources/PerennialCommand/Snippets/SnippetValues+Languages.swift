/// The snippets. Each asks Sandbox for a transaction with Apple's library (Go, for which there is none: with the usual
/// one for tokens) and verifies it.
extension SnippetValues {
    var swift: String {
        """
        \(comment("//", "Trust \(trust) for TLS: cp it to /usr/local/share/ca-certificates/perennial.crt, then update-ca-certificates."))
        import AppStoreServerLibrary
        import Foundation

        let client = try AppStoreServerAPIClient(
            signingKey: String(contentsOfFile: "\(privateKey)", encoding: .utf8), keyId: "\(keyID)",
            issuerId: "\(issuerID)", bundleId: "\(bundleID)", environment: .sandbox)
        let verifier = try SignedDataVerifier(
            rootCertificates: [Data(contentsOf: URL(fileURLWithPath: "\(root)"))], bundleId: "\(bundleID)",
            appAppleId: \(appleID), environment: .sandbox, enableOnlineChecks: true)
        if case .success(let info) = await client.getTransactionInfo(transactionId: CommandLine.arguments[1]) {
            print(await verifier.verifyAndDecodeTransaction(signedTransaction: info.signedTransactionInfo ?? ""))
        }
        """
    }

    var python: String {
        """
        \(comment("#", "Run with REQUESTS_CA_BUNDLE=\(trust)"))
        import sys
        from pathlib import Path
        from appstoreserverlibrary.api_client import AppStoreServerAPIClient
        from appstoreserverlibrary.models.Environment import Environment
        from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier

        client = AppStoreServerAPIClient(
            Path("\(privateKey)").read_bytes(), "\(keyID)",
            "\(issuerID)", "\(bundleID)", Environment.SANDBOX)
        verifier = SignedDataVerifier(
            [Path("\(root)").read_bytes()], True, Environment.SANDBOX, "\(bundleID)", \(appleID))
        info = client.get_transaction_info(sys.argv[1])
        print(verifier.verify_and_decode_signed_transaction(info.signedTransactionInfo))
        """
    }

    var node: String {
        """
        \(comment("//", "Save as main.mjs, run with NODE_EXTRA_CA_CERTS=\(trust)"))
        import { readFileSync } from "node:fs"
        import { AppStoreServerAPIClient, Environment, SignedDataVerifier } from "@apple/app-store-server-library"

        const client = new AppStoreServerAPIClient(
            readFileSync("\(privateKey)", "utf8"), "\(keyID)",
            "\(issuerID)", "\(bundleID)", Environment.SANDBOX)
        const verifier = new SignedDataVerifier(
            [readFileSync("\(root)")], true, Environment.SANDBOX, "\(bundleID)", \(appleID))
        const info = await client.getTransactionInfo(process.argv[2])
        console.log(await verifier.verifyAndDecodeTransaction(info.signedTransactionInfo))
        """
    }

    var java: String {
        """
        \(comment("//", "keytool -importcert -noprompt -alias perennial -file \(trust) -keystore trust.jks -storepass changeit", "Run with -Djavax.net.ssl.trustStore=trust.jks -Djavax.net.ssl.trustStorePassword=changeit"))
        import com.apple.itunes.storekit.client.AppStoreServerAPIClient;
        import com.apple.itunes.storekit.model.Environment;
        import com.apple.itunes.storekit.verification.SignedDataVerifier;
        import java.io.FileInputStream;
        import java.nio.file.*;
        import java.util.Set;

        class Main {
            public static void main(String[] arguments) throws Exception {
                var client = new AppStoreServerAPIClient(
                    Files.readString(Path.of("\(privateKey)")), "\(keyID)",
                    "\(issuerID)", "\(bundleID)", Environment.SANDBOX);
                var verifier = new SignedDataVerifier(
                    Set.of(new FileInputStream("\(root)")), "\(bundleID)", \(appleID)L, Environment.SANDBOX, true);
                var info = client.getTransactionInfo(arguments[0]);
                System.out.println(verifier.verifyAndDecodeTransaction(info.getSignedTransactionInfo()));
            }
        }
        """
    }

    /// go-iap has Apple's root built in, so this one verifies by itself.
    var go: String {
        """
        \(comment("//", "Run with SSL_CERT_FILE=\(trust)", "go mod init snippet && go get github.com/golang-jwt/jwt/v5"))
        package main

        import (
            "crypto/x509"
            "encoding/base64"
            "encoding/json"
            "fmt"
            "net/http"
            "os"
            "time"

            "github.com/golang-jwt/jwt/v5"
        )

        func main() {
            key := must(jwt.ParseECPrivateKeyFromPEM(must(os.ReadFile("\(privateKey)"))))
            token := jwt.NewWithClaims(jwt.SigningMethodES256, jwt.MapClaims{
                "iss": "\(issuerID)", "bid": "\(bundleID)", "aud": "appstoreconnect-v1",
                "iat": time.Now().Unix(), "exp": time.Now().Add(5 * time.Minute).Unix()})
            token.Header["kid"] = "\(keyID)"
            url := "https://api.storekit-sandbox.apple.com/inApps/v1/transactions/" + os.Args[1]
            request := must(http.NewRequest("GET", url, nil))
            request.Header.Set("Authorization", "Bearer "+must(token.SignedString(key)))
            response := must(http.DefaultClient.Do(request))
            defer response.Body.Close()
            if response.StatusCode != http.StatusOK {
                panic(response.Status)
            }
            var info struct{ SignedTransactionInfo string }
            if err := json.NewDecoder(response.Body).Decode(&info); err != nil {
                panic(err)
            }
            transaction := must(jwt.Parse(
                info.SignedTransactionInfo, signer, jwt.WithValidMethods([]string{"ES256"}), jwt.WithJSONNumber()))
            fmt.Println(transaction.Claims)
        }

        // signer is the key of a token's certificate, if that one leads to the store's root.
        func signer(token *jwt.Token) (any, error) {
            var chain []*x509.Certificate
            encoded, _ := token.Header["x5c"].([]any)
            for _, text := range encoded {
                der, err := base64.StdEncoding.DecodeString(fmt.Sprint(text))
                if err != nil {
                    return nil, err
                }
                certificate, err := x509.ParseCertificate(der)
                if err != nil {
                    return nil, err
                }
                chain = append(chain, certificate)
            }
            if len(chain) != 3 {
                return nil, fmt.Errorf("%d certificates instead of 3", len(chain))
            }
            roots, intermediates := x509.NewCertPool(), x509.NewCertPool()
            roots.AddCert(must(x509.ParseCertificate(must(os.ReadFile("\(root)")))))
            intermediates.AddCert(chain[1])
            _, err := chain[0].Verify(x509.VerifyOptions{Roots: roots, Intermediates: intermediates})
            return chain[0].PublicKey, err
        }

        func must[T any](value T, err error) T {
            if err != nil {
                panic(err)
            }
            return value
        }
        """
    }

    /// A purchase and its verification, over plain HTTP.
    var curl: String {
        """
        curl -s \(url)/sandbox/control/v1/purchases -H "Authorization: Bearer \(token)" \\
          -d '{"bundleId": "\(bundleID)", "account": "ann@example.com", "productId": "\(productID)"}' > bought.json
        curl -s \(url)/sandbox/verifyReceipt \\
          -d "{\\"receipt-data\\": \\"$(jq -r .appReceipt bought.json)\\", \\"password\\": \\"\(sharedSecret)\\"}"
        """
    }
}
