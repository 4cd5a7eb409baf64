import AppStoreFormats
import BaseEncoding
import Crypto
import Foundation
import Perennial
import PerennialStore
import TestSupport
import Testing

@testable import PerennialConsole

/// The page Inspect, and the sentences that it shows.
struct InspectPageTests {
    private static func inspect(_ text: String, _ console: SellerConsole) async throws -> Page {
        let answer = try await console.send("inspect", ["text": text])
        guard case .shown(let page) = answer else { throw TestStore.Missing(what: "result: \(answer)") }
        return page
    }

    @Test func `a receipt passes each check, and links to its transactions`() async throws {
        let console = try await SellerConsole()
        let sold = try await console.shop.buy("film.roll", as: "ann")
        let receipt = Base64.encode(try await console.shop.receipt(of: "ann"))
        let page = try await Self.inspect(receipt, console)
        #expect(page.status == 200)
        let failed = page.checks.filter { $0.outcome == .failed }
        #expect(failed.isEmpty, "\(failed)")
        #expect(page.checks.count > 12)
        let links = page.blocks.flatMap(\.allLinks)
        #expect(links.contains { $0.path.hasSuffix("/transactions/\(sold.id)") })
        let byID = try await console.page("inspect", ["id": "\(sold.id)"])
        #expect(byID.checks.count > 10 && byID.checks.allSatisfy { $0.outcome != .failed })
    }

    @Test func `a signing certificate that is pasted alone is this store's`() async throws {
        let console = try await SellerConsole()
        let identities = try TestSigning.identities
        for leaf in [identities.transactionChain.leaf, identities.receiptChain.leaf] {
            let page = try await Self.inspect(Base64.encode(leaf), console)
            let failed = page.checks.filter { $0.outcome == .failed }
            #expect(failed.isEmpty, "\(failed)")
            #expect(page.checks.count > 2)
        }
    }

    @Test func `a receipt of another environment fails that check`() async throws {
        let console = try await SellerConsole()
        try await console.shop.buy("film.roll", as: "ann")
        let receipt = try await console.shop.receipt(of: "ann")
        let production = try await console.shop.environment("Production")
        let found = try await production.store.inspections.inspect(
            InspectionRequest(Array(Base64.encode(receipt).utf8)), authority: nil)
        #expect(found.checks.filter { $0.outcome == .failed }.map(\.finding.code) == [.receiptElsewhere])
        let id = try #require(found.references.first { $0.kind == .transaction }?.id)
        let other = try await production.store.inspections.inspect(InspectionRequest(Array(id.utf8)), authority: nil)
        #expect(other[.known]?.finding.code == .foundElsewhere)
    }

    @Test func `a private key isn't echoed`() async throws {
        let console = try await SellerConsole()
        let pem = P256.Signing.PrivateKey().pemRepresentation
        let page = try await Self.inspect(pem, console)
        #expect(page.checks.contains { $0.outcome == .failed })
        #expect(!"\(page)".contains(pem.split(separator: "\n")[1]))
        let secret = try await Self.inspect(TestCatalog.sharedSecret, console)
        #expect(secret.checks.map(\.outcome) == [.passed])
        #expect(!"\(secret)".contains(TestCatalog.sharedSecret))
    }

    @Test func `nothing to inspect and a wrong device are refused at the form`() async throws {
        let console = try await SellerConsole()
        #expect(try await console.send("inspect", ["text": " "]).page?.status == 422)
        let page = try #require(try await console.send("inspect", ["text": "1", "device": "phone"]).page)
        #expect(page.errors.keys.sorted() == ["device"])
    }

    @Test func `each finding is translated, with its arguments`() {
        for code in InspectionFinding.Code.allCases {
            #expect(InspectionTexts.has(code), "\(code)")
            let phrase = InspectionTexts.phrase(code)
            let arguments = Set(
                Language.allCases.map { language in
                    Set(phrase.text(in: language).ranges(of: /%[1-9]/).map { phrase.text(in: language)[$0] })
                })
            #expect(arguments.count == 1, "\(code)")
        }
    }

    @Test func `keys, secrets, certificates and the team are for admins`() {
        let administered = ["keys", "secret", "certificates", "team"]
        for route in ConsoleRoutes.all(of: InspectionChapters.all) {
            let place = route.path.split(separator: "/").first.map(String.init) ?? ""
            #expect(route.permission == (administered.contains(place) ? .administer : .operate), "\(route.path)")
        }
    }
}
