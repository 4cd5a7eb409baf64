/// The snippets. Each asks Sandbox for a transaction with Apple's library (Go: with the standard library) and verifies it.
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
        \(comment("//", "Run with NODE_EXTRA_CA_CERTS=\(trust)"))
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
        \(comment("//", "keytool -importcert -noprompt -alias perennial -file \(trust) -keystore trust.jks -storepass changeit", "Run with -Djavax.net.ssl.trustStore=trust.jks"))
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

    var go: String {
        """
        \(comment("//", "Run with SSL_CERT_FILE=\(trust)", "go get github.com/golang-jwt/jwt/v5"))
        package main

        import (
            "fmt"
            "io"
            "net/http"
            "os"
            "time"

            "github.com/golang-jwt/jwt/v5"
        )

        func main() {
            pem, _ := os.ReadFile("\(privateKey)")
            key, err := jwt.ParseECPrivateKeyFromPEM(pem)
            if err != nil {
                panic(err)
            }
            token := jwt.NewWithClaims(jwt.SigningMethodES256, jwt.MapClaims{
                "iss": "\(issuerID)", "bid": "\(bundleID)", "aud": "appstoreconnect-v1",
                "iat": time.Now().Unix(), "exp": time.Now().Add(5 * time.Minute).Unix()})
            token.Header["kid"] = "\(keyID)"
            bearer, err := token.SignedString(key)
            if err != nil {
                panic(err)
            }
            request, _ := http.NewRequest("GET", "https://api.storekit-sandbox.apple.com/inApps/v1/transactions/"+os.Args[1], nil)
            request.Header.Set("Authorization", "Bearer "+bearer)
            response, err := http.DefaultClient.Do(request)
            if err != nil {
                panic(err)
            }
            defer response.Body.Close()
            body, _ := io.ReadAll(response.Body)
            fmt.Println(response.Status, string(body))
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
