import Foundation
import Logging

/// Verifies receipts with a store's verifyReceipt: production first, sandbox where production says so, again where the
/// store can't answer, and never more than the store said.
package struct ReceiptVerification: ReceiptVerifying {
    private let target: VerificationTarget
    private let endpoint: any VerifyReceiptEndpoint
    private let policy: RetryPolicy
    private let pacing: Pacing
    private let logger: Logger

    package init(
        target: VerificationTarget, endpoint: any VerifyReceiptEndpoint, policy: RetryPolicy = RetryPolicy(),
        pacing: Pacing, logger: Logger
    ) {
        self.target = target
        self.endpoint = endpoint
        self.policy = policy
        self.pacing = pacing
        self.logger = logger
    }

    package func verify(receipt: String, password: String?) async throws -> VerifiedReceipt {
        let body = try Self.body(receipt: receipt, password: password)
        let began = pacing.elapsed()
        var course = VerificationCourse(target: target, policy: policy)
        var step = course.firstStep
        while true {
            switch step {
            case .ask(let side):
                let (verdict, retryAfter) = try await ask(side, body)
                step = course.step(
                    after: verdict, retryAfter: retryAfter, elapsed: pacing.elapsed() - began,
                    fraction: pacing.fraction())
            case .wait(let delay, let side):
                logger.info("The store can't verify a receipt now; asking again.", metadata: ["delay": "\(delay)"])
                try await pacing.sleep(delay)
                step = .ask(side)
            case .accept(let receipt): return receipt
            case .fail(let code, let status, let reason):
                throw DeliveryError(code, "receipt", reason, receiptStatus: status)
            }
        }
    }

    private func ask(
        _ side: VerificationTarget.Side, _ body: [UInt8]
    ) async throws -> (ReceiptVerdict, retryAfter: Int?) {
        guard let url = target.url(of: side) else {
            return (.unavailable(status: nil, mayPass: false, reason: "no URL is configured"), nil)
        }
        do {
            let answer = try await endpoint.post(body, to: url)
            return (ReceiptVerdict(answer, from: side), answer.retryAfter)
        } catch let error as CancellationError {
            throw error
        } catch {
            // The error's text stays in the log: it may name hosts that are nobody's business.
            logger.warning("No answer from the store.", metadata: ["url": "\(url)", "error": "\(error)"])
            return (.unavailable(status: nil, mayPass: true, reason: "the store could not be reached"), nil)
        }
    }

    private struct Request: Encodable {
        let receipt: String
        let password: String?

        enum CodingKeys: String, CodingKey {
            case receipt = "receipt-data"
            case password
        }
    }

    private static func body(receipt: String, password: String?) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return [UInt8](try encoder.encode(Request(receipt: receipt, password: password)))
    }
}
