import Foundation
import OpenStoreKit
import Synchronization

extension Device {
    /// Asks the store for products with an `SKProductsRequest`.
    func products(_ identifiers: [String]) async throws -> SKProductsResponse {
        let question = ProductsQuestion()
        return try await withCheckedThrowingContinuation { continuation in
            question.ask(SKProductsRequest(productIdentifiers: Set(identifiers), connection: connection), continuation)
        }
    }
}

/// The delegate of a products request: hands the answer on, once.
private final class ProductsQuestion: NSObject, SKProductsRequestDelegate, Sendable {
    typealias Answer = CheckedContinuation<SKProductsResponse, any Error>

    private let answer = Mutex<Answer?>(nil)

    func ask(_ request: SKProductsRequest, _ answer: Answer) {
        self.answer.withLock { $0 = answer }
        request.delegate = self
        request.start()
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        take()?.resume(returning: response)
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        take()?.resume(throwing: error)
    }

    private func take() -> Answer? {
        answer.withLock { answer in
            defer { answer = nil }
            return answer
        }
    }
}
