import Foundation
import Logging
import Perennial
import PerennialStorage

/// Verifies receipts with a store's verifyReceipt: production first, sandbox after 21007. Retries while the store is unavailable,
/// and trusts no more than the store's answer.
package struct ReceiptVerification: ReceiptVerifying {
    private let target: VerificationTarget
    private let endpoint: any VerifyReceiptEndpoint
    private let policy: VerificationRetryPolicy
    private let dependencies: RetryDependencies
    private let logger: Logger

    package init(
        target: VerificationTarget, endpoint: any VerifyReceiptEndpoint,
        policy: VerificationRetryPolicy = VerificationRetryPolicy(),
        dependencies: RetryDependencies, logger: Logger
    ) {
        self.target = target
        self.endpoint = endpoint
        self.policy = policy
        self.dependencies = dependencies
        self.logger = logger
    }

    package func verify(receipt: String, password: String?) async throws -> AuthenticReceipt {
        // The other store has a time of its own, in which it may be asked again.
        RequestDeadline.liftCurrent()
        let body = try Self.body(receipt: receipt, password: password)
        let began = dependencies.elapsed()
        var machine = VerificationStateMachine(target: target, policy: policy)
        var step = machine.firstStep
        while true {
            switch step {
            case .ask(let environment):
                let (verdict, retryAfter) = try await ask(environment, body)
                step = machine.step(
                    after: verdict, retryAfter: retryAfter, elapsed: dependencies.elapsed() - began,
                    fraction: dependencies.fraction())
            case .wait(let delay, let environment):
                logger.info("The store can't verify a receipt now; asking again.", metadata: ["delay": "\(delay)"])
                try await dependencies.sleep(delay)
                step = .ask(environment)
            case .accept(let receipt): return receipt
            case .fail(let code, let status, let reason):
                throw DeliveryError(code, "receipt", reason, receiptStatus: status)
            }
        }
    }

    private func ask(
        _ environment: StoreEnvironment.Kind, _ body: [UInt8]
    ) async throws -> (ReceiptVerdict, retryAfter: Int?) {
        guard let url = target.url(of: environment) else {
            return (.unavailable(status: nil, isTemporary: false, reason: "no URL is configured"), nil)
        }
        do {
            let answer = try await endpoint.post(body, to: url)
            return (ReceiptVerdict(answer, from: environment), answer.retryAfter)
        } catch let error as CancellationError {
            throw error
        } catch {
            // The error's text stays in the log, since it may name internal hosts.
            logger.warning("No answer from the store.", metadata: ["url": "\(url)", "error": "\(error)"])
            return (.unavailable(status: nil, isTemporary: true, reason: "the store could not be reached"), nil)
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
