import BaseEncoding
import Crypto
import Foundation
import Testing

@testable import AppStoreFormats

/// Signed data, tokens, certificates, keys and IDs are recognised; each defect fails its check.
struct InspectionSignedDataTests {
    private let samples: InspectionSamples
    private let transaction: String

    init() throws {
        samples = try InspectionSamples()
        transaction = try samples.transaction()
    }

    private func inspect(_ text: String) -> Inspection { InspectionSamples.inspect(text, samples.context) }

    // MARK: - Signed data

    @Test func `signed data is recognised by its contents`() throws {
        #expect(inspect(transaction).kind == .signedTransaction)
        #expect(inspect(transaction).failures == [])
        let renewal = try JWSSigner(identities: samples.identities).sign(payload: SamplePayloads.renewalInfo.encoded())
        #expect(inspect(renewal).kind == .signedRenewalInfo)
        #expect(inspect(renewal).codes == [.environmentDiffers])
        let notification = try samples.notification(transaction: transaction)
        let inspection = inspect(notification)
        #expect(inspection.kind == .signedNotification && inspection.failures == [])
        #expect(inspection.parts.map(\.name) == ["data.signedTransactionInfo"])
        let body = inspect(#"{"signedPayload":"\#(notification)"}"#)
        #expect(body.kind == .notification && body.failures == [])
        #expect(body.references.contains(InspectionReference(.transaction, "2000000000000002")))
        let broken = transaction.prefix(100) + "\n  " + transaction.dropFirst(100)
        #expect(inspect(String(broken)).failures == [])
    }

    @Test func `a defect of signed data fails its check`() throws {
        let another = try samples.transaction(by: TestIdentities.another)
        #expect(inspect(another).codes == [.rootOfAnotherStore])
        #expect(inspect(try samples.transaction { $0.environment = .production }).codes == [.environmentDiffers])
        #expect(inspect(try samples.transaction { $0.environment = .xcode }).codes == [.environmentXcode])
        #expect(inspect(try samples.transaction { $0.bundleId = "com.example.other" }).codes == [.appUnknown])
        let future = Date(timeIntervalSince1970: 1_892_000_000)
        #expect(inspect(try samples.transaction { $0.signedDate = future }).codes == [.signedInFuture])
        #expect(inspect(String(transaction.dropLast(4))).failures.contains(.structure))
        #expect(inspect(String(transaction.prefix { $0 != "." }) + ".").failures == [.structure])
        var parts = transaction.split(separator: ".").map(String.init)
        parts[1] = Base64.encode(Array(#"{"transactionId":"1"}"#.utf8), as: .url)
        #expect(Set(inspect(parts.joined(separator: ".")).failures).isSuperset(of: [.signature, .contents]))
        #expect(inspect(transaction + "==").codes == [.paddingInJWS])
    }

    @Test func `a defect of x5c fails its check`() throws {
        let chain = samples.identities.transactionChain
        let (leaf, intermediate, root) = (chain.leaf, chain.intermediate, chain.root)
        #expect(inspect(try samples.jws(certificates: [leaf, intermediate, root])).failures == [])
        #expect(inspect(try samples.jws(certificates: [root, intermediate, leaf])).codes == [.orderWrong])
        #expect(inspect(try samples.jws(certificates: [leaf, intermediate])).codes == [.certificateCount])
        #expect(inspect(try samples.jws(certificates: [leaf])).failures == [.certificateOrder, .chain, .root])
        let unmarked = try samples.identities.root.issue(
            "Unmarked", role: .root, key: P256.Signing.PrivateKey())
        #expect(
            Set(inspect(try samples.jws(certificates: [unmarked.encoding, root, root], key: unmarked.key)).failures)
                .isSuperset(of: [.certificateOrder]))
        let wrong = try samples.jws(certificates: [leaf, intermediate, root], algorithm: "HS256")
        #expect(inspect(wrong).codes == [.algorithmWrong])
        let forged = try samples.jws(certificates: [leaf, intermediate, root], key: P256.Signing.PrivateKey())
        #expect(inspect(forged).failures == [.signature])
        let changed = intermediate.changed(at: intermediate.count - 5)
        #expect(inspect(try samples.jws(certificates: [leaf, changed, root])).failures.contains(.chain))
    }

    // MARK: - Tokens

    @Test func `a token of the Server API is verified`() throws {
        #expect(inspect("Bearer \(try samples.token())").failures == [])
        #expect(inspect(try samples.token()).kind == .serverAPIToken)
        let seconds = InspectionSamples.now / 1000
        let defects: [([String: String], InspectionFinding.Code)] = [
            (["exp": "\(seconds - 1)"], .tokenExpired), (["iat": "\(seconds + 100)"], .tokenNotYetValid),
            (["exp": "\(seconds + 7200)"], .tokenTooLong), (["exp": "\(seconds * 1000)"], .timeInMilliseconds),
            (["aud": "\"appstoreconnect-v2\""], .audienceWrong), (["iss": "\"other\""], .issuerWrong),
            (["exp": ""], .claimsMissing), (["bid": "\"com.example.other\""], .keyOfOtherApp),
        ]
        for (claims, code) in defects {
            #expect(inspect(try samples.token(claims)).codes.contains(code), "\(claims)")
        }
        #expect(inspect(try samples.token(kid: "AAAAAAAAAA")).codes == [.keyUnknown])
        #expect(inspect(try samples.token(key: P256.Signing.PrivateKey())).failures == [.signature])
        #expect(
            inspect(try samples.token(header: #"{"alg":"HS256","kid":"2X9R4HXF34"}"#)).codes.contains(.algorithmWrong))
        var context = samples.context
        context.keys?[InspectionSamples.keyID]?.revoked = "2026-01-01T00:00:00Z"
        #expect(InspectionSamples.inspect(try samples.token(), context).codes == [.keyRevoked])
        context.keys = nil
        #expect(InspectionSamples.inspect(try samples.token(), context)[.key]?.outcome == .skipped)
        #expect(inspect(try samples.token(["bid": ""])).codes == [.keyOfOtherKind])
        #expect(inspect(try samples.token(["bid": ""])).kind == .connectToken)
        #expect(inspect(try samples.token(["aud": "\"promotional-offer\""])).kind == .offerToken)
        #expect(inspect(try samples.token(["aud": "\"advanced-commerce-api\""])).kind == .advancedCommerceToken)
    }

    @Test func `the signature of an offer is verified`() throws {
        let text = [
            "com.example.magazine", InspectionSamples.keyID, "monthly", "half", "ann", "7e3fb20b",
            "\(InspectionSamples.now)",
        ]
        .joined(separator: "\u{2063}")
        let signature = try samples.key.signature(for: Data(text.utf8)).derRepresentation.base64EncodedString()
        func offer(_ product: String) -> String {
            """
            {"bundleID":"com.example.magazine","keyIdentifier":"2X9R4HXF34","productIdentifier":"\(product)",\
            "offerIdentifier":"half","applicationUsername":"ann","nonce":"7E3FB20B","timestamp":\(InspectionSamples.now),\
            "signature":"\(signature)"}
            """
        }
        #expect(inspect(offer("monthly")).failures == [])
        #expect(inspect(offer("yearly")).failures == [.signature])
        #expect(inspect(signature)[.signature]?.finding.code == .signatureAlone)
    }

    // MARK: - Keys and certificates

    @Test func `a private key is never echoed`() throws {
        let pem = samples.key.pemRepresentation
        let secret = pem.split(separator: "\n")[1]
        let forms = [
            pem, "\"" + pem.replacing("\n", with: "\\n") + "\"", samples.key.derRepresentation.base64EncodedString(),
            pem.replacing("\n", with: " "), String(pem.dropLast(30)), Data(pem.utf8).base64EncodedString(),
        ]
        for form in forms {
            let inspection = inspect(form)
            #expect(inspection.kind == .privateKey, "\(form.prefix(30))")
            #expect(inspection.codes == [.privateKeyPasted])
            #expect(!"\(inspection)".contains(secret.prefix(40)))
        }
        #expect(inspect(pem)[.key]?.finding.arguments == [InspectionSamples.keyID])
        #expect(inspect(samples.key.publicKey.pemRepresentation).kind == .publicKey)
    }

    @Test func `certificates are explained`() throws {
        let chain = samples.identities.transactionChain
        func pem(_ der: [UInt8]) -> String { "-----BEGIN CERTIFICATE-----\n\(der.base64)\n-----END CERTIFICATE-----\n" }
        let whole = inspect(chain.certificates.map(pem).joined())
        #expect(whole.kind == .certificateChain && whole.failures == [])
        #expect(whole.certificates.map(\.origin) == [.thisStore, .thisStore, .thisStore])
        #expect(inspect(chain.leaf.base64).kind == .certificate)
        #expect(inspect(pem(chain.leaf)).failures == [.chain, .root])
        #expect(inspect(pem(chain.root)).failures == [])
        #expect(inspect(pem(try TestIdentities.another.rootCertificate)).codes == [.rootOfAnotherStore])
    }

    // MARK: - The rest

    @Test func `IDs and files are recognised`() throws {
        let kinds: [(String, Inspection.Kind)] = [
            ("2000000000000002", .transactionID), ("7E3FB20B-4CDB-47CC-936D-99D65F608138", .uuid),
            ("MK5S6T7V8W", .unknown), ("0123456789abcdef0123456789abcdef", .sharedSecret), ("", .unknown),
            ("hello world", .unknown), ("{}", .json), ("[1,2]", .json), ("{", .json),
            (#"{"customerConsented":true,"consumptionStatus":1}"#, .consumptionRequest),
            (#"{"externalPurchaseId":"a","tokenCreationDate":1}"#, .externalPurchaseToken),
            (#"{"notification_type":"DID_RENEW","bid":"com.example.magazine"}"#, .notificationV1),
            (#"{"identifier":"A","products":[{}],"subscriptionGroups":[{"subscriptions":[{}]}]}"#, .storeKitFile),
            (Array(#"{"externalPurchaseId":"abc","tokenCreationDate":1}"#.utf8).base64, .externalPurchaseToken),
        ]
        for (text, kind) in kinds { #expect(inspect(text).kind == kind, "\(text)") }
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures")
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        where file.pathExtension == "storekit" {
            #expect(Inspector(samples.context).inspect(Array(try Data(contentsOf: file))).kind == .storeKitFile)
        }
        #expect(
            Inspector(samples.context).inspect([UInt8](repeating: 65, count: Inspector.maximumSize + 1)).codes == [
                .tooLarge
            ])
    }

    @Test(arguments: [("PROD", "Production"), ("Sandbox", "Sandbox")])
    func `a notification of version 1 fits its environment only`(name: String, environment: String) {
        let text = #"{"notification_type":"DID_RENEW","environment":"\#(name)"}"#
        for expected in ["Production", "Sandbox"] {
            var context = samples.context
            context.environment = expected
            let found = Inspector(context).inspect(Array(text.utf8))
            #expect(found[.environment]?.outcome == (expected == environment ? .passed : .failed))
        }
    }

    @Test func `contents are bounded`() {
        let many = "[" + Array(repeating: "1", count: 5_000).joined(separator: ",") + "]"
        #expect(inspect(many).fields.first?.fields.count ?? 0 < Inspector.maximumFields)
        let deep = String(repeating: "[", count: 100_000)
        #expect(inspect(deep).failures == [.structure])
        let signed = "[" + Array(repeating: "\"\(transaction)\"", count: 150).joined(separator: ",") + "]"
        #expect(inspect(signed).parts.count == Inspector.maximumParts)
    }
}
