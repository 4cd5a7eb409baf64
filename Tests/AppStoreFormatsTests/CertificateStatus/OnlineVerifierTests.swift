import Foundation
import Perennial
import SwiftASN1
import Testing
import X509

@testable import AppStoreFormats

/// The verifier of Apple's Swift library is swift-certificates' with its OCSP policy: so that one judges here, with
/// nonces and SHA-1, and no network between it and the responder.
struct OnlineVerifierTests {
    /// The responder is out of reach.
    private enum Outage: Error {
        /// The verifier insists on an answer, as Apple's do.
        case fails
        /// The verifier passes without a verdict.
        case passes
    }

    private struct Requester: OCSPRequester {
        let folder: SigningFolder
        let now: Instant
        let outage: Outage?

        func query(request: [UInt8], uri: String) async -> OCSPRequesterQueryResult {
            switch outage {
            case .fails: return .terminalError(Outage.fails)
            case .passes: return .nonTerminalError(Outage.passes)
            case nil: break
            }
            guard uri == "http://store.example:8080/ocsp" else {
                return .terminalError(ReceiptError(.notAReceipt, subject: uri, reason: "not the store's URL"))
            }
            return .response(folder.certificateStatus(request, at: now))
        }
    }

    private func isGood(
        _ chain: CertificateChain, _ folder: SigningFolder, outage: Outage? = nil
    ) async throws -> Bool {
        let now = Instant(Date())
        var verifier = Verifier(rootCertificates: CertificateStore([try Certificate(der: chain.root)])) {
            RFC5280Policy()
            OCSPVerifierPolicy(
                failureMode: .hard, requester: Requester(folder: folder, now: now, outage: outage))
        }
        let result = await verifier.validate(
            leaf: try Certificate(der: chain.leaf),
            intermediates: CertificateStore([try Certificate(der: chain.intermediate)]))
        if case .validCertificate = result { return true }
        return false
    }

    @Test(arguments: SigningLeaf.allCases)
    func `online checks pass until the leaf is revoked`(leaf: SigningLeaf) async throws {
        let store = try StatusFolder()
        func chain() -> CertificateChain {
            let identities = store.folder.identities
            return leaf == .transactions ? identities.transactionChain : identities.receiptChain
        }
        let old = chain()
        #expect(try await isGood(old, store.folder))
        _ = try store.folder.revoke(leaf, CertificateRevocation(date: Instant(Date()), reason: .superseded))
        #expect(try await !isGood(old, store.folder))
        #expect(try await isGood(chain(), store.folder))
    }

    /// A verifier that insists on an answer gets none, one that doesn't goes on without, and neither keeps a verdict: what
    /// is asked again later is judged by what is so then.
    @Test func `an unreachable responder gives no verdict, a later question does`() async throws {
        let store = try StatusFolder()
        let chain = store.folder.identities.transactionChain
        #expect(try await !isGood(chain, store.folder, outage: .fails))
        #expect(try await isGood(chain, store.folder, outage: .passes))
        #expect(try await isGood(chain, store.folder))
        _ = try store.folder.revoke(.transactions, CertificateRevocation(date: Instant(Date()), reason: .superseded))
        #expect(try await isGood(chain, store.folder, outage: .passes))
        #expect(try await !isGood(chain, store.folder))
    }
}
