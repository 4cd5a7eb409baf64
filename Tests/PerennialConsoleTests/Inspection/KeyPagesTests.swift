import AppStoreFormats
import BaseEncoding
import Crypto
import Foundation
import Perennial
import PerennialConnect
import PerennialStore
import TestSupport
import Testing

@testable import PerennialConsole

/// Keys and secrets that are made on the console's pages work where they are used.
struct KeyPagesTests {
    private static let app = TestCatalog.bundleID.rawValue

    private static func status(_ receipt: [UInt8], _ secret: String, _ console: SellerConsole) async throws
        -> JSONValue?
    {
        try await console.shop.verify(receipt, password: secret)["status"]
    }

    @Test func `the secret generated on the page works in verifyReceipt`() async throws {
        let console = try await SellerConsole()
        try await console.shop.buy("monthly", as: "ann")
        let receipt = try await console.shop.receipt(of: "ann")
        #expect(try await console.page("secret").samples.first?.text == TestCatalog.sharedSecret)
        #expect(try await console.send("secret", ["confirmation": "yes"]).page?.status == 422)
        #expect(try await Self.status(receipt, TestCatalog.sharedSecret, console) == 0)
        #expect(try await console.send("secret", ["confirmation": Self.app]).redirect != nil)
        let secret = try #require(try await console.page("secret").samples.first?.text)
        #expect(secret != TestCatalog.sharedSecret)
        #expect(try await Self.status(receipt, secret, console) == 0)
        #expect(try await Self.status(receipt, TestCatalog.sharedSecret, console) == 21004)
    }

    @Test func `a key made on the page authenticates at the Server API`() async throws {
        let console = try await SellerConsole()
        let answer = try await console.send("keys", ["kind": "serverAPI"])
        guard case .file(let file) = answer else { throw TestStore.Missing(what: "file") }
        let id = String(file.name.dropFirst("SubscriptionKey_".count).prefix(APIKey.idLength))
        let issuer = try #require(
            try await console.shop.keys.all(of: TestCatalog.bundleID).first { $0.id == id }?.issuerID)
        let key = try P256.Signing.PrivateKey(pemRepresentation: String(decoding: file.bytes, as: UTF8.self))
        let seconds = console.shop.clock.now.milliseconds / 1000
        let claims = """
            {"iss":"\(issuer)","iat":\(seconds),"exp":\(seconds + 300),"aud":"appstoreconnect-v1","bid":"\(Self.app)"}
            """
        let text = [#"{"alg":"ES256","kid":"\#(id)","typ":"JWT"}"#, claims]
            .map { Base64.encode(Array($0.utf8), as: .url) }.joined(separator: ".")
        let signature = try key.signature(for: Data(text.utf8)).rawRepresentation
        let token = "\(text).\(Base64.encode(Array(signature), as: .url))"
        let caller = try await console.shop.registry.apiKeyAuthenticator.caller(of: token)
        #expect(caller.keyID == id)
        func codes() async throws -> [InspectionFinding.Code] {
            try await console.shop.store.inspections.inspect(InspectionRequest(Array(token.utf8)), authority: nil)
                .checks.filter { $0.outcome == .failed }.map(\.finding.code)
        }
        #expect(try await codes() == [])

        #expect(try await console.send("keys/\(id)/revoke", ["confirmation": "no"]).page?.status == 422)
        #expect(try await console.send("keys/\(id)/revoke", ["confirmation": id]).redirect != nil)
        #expect(try await codes() == [.keyRevoked])
        #expect(try await console.page("keys/\(id)").forms.isEmpty)
    }

    @Test func `a key of the team needs a role`() async throws {
        let console = try await SellerConsole()
        #expect(try await console.send("keys", ["kind": "connectAPI"]).page?.status == 422)
        guard case .file = try await console.send("keys", ["kind": "connectAPI", "role-FINANCE": "on"]) else {
            throw TestStore.Missing(what: "file")
        }
        #expect(try await console.shop.keys.teamKeys().map(\.roles) == [[.finance]])
    }
}
