import Foundation
import Synchronization

/// Requests titles, descriptions and prices of products.
///
/// Source: Apple, StoreKit documentation, "SKProductsRequest".
public final class SKProductsRequest: NSObject, SKRequest {
    private let connection: StoreConnection
    private let productIdentifiers: Set<String>
    private let run = RequestRun()
    private let delegateBox = Mutex<(any SKProductsRequestDelegate)?>(nil)

    /// Makes a request on the process-wide connection.
    public convenience init(productIdentifiers: Set<String>) {
        self.init(productIdentifiers: productIdentifiers, connection: .ofProcess)
    }

    /// Makes a request on a connection.
    public init(productIdentifiers: Set<String>, connection: StoreConnection) {
        self.productIdentifiers = productIdentifiers
        self.connection = connection
    }

    /// Delegate, held until the end of the request.
    public var delegate: (any SKProductsRequestDelegate)? {
        get { delegateBox.withLock { $0 } }
        set { delegateBox.withLock { $0 = newValue } }
    }

    /// Sends the request, once.
    public func start() {
        run.start { [self] in
            do {
                let response = try await connection.products(for: productIdentifiers.sorted())
                tell { request, delegate in
                    delegate.productsRequest(request, didReceive: response)
                    delegate.requestDidFinish(request)
                }
            } catch {
                let error = SKError(wrapping: error)
                tell { request, delegate in delegate.request(request, didFailWithError: error) }
            }
        }
    }

    /// Cancels the request. The delegate isn't called any more.
    public func cancel() {
        run.cancel()
        delegate = nil
    }

    private func tell(_ message: @escaping @Sendable (SKProductsRequest, any SKProductsRequestDelegate) -> Void) {
        connection.requestQueue.async { [self] in
            guard !run.isCancelled, let delegate else { return }
            message(self, delegate)
            self.delegate = nil
        }
    }
}

/// The answer to a products request.
///
/// Source: Apple, StoreKit documentation, "SKProductsResponse".
public final class SKProductsResponse: NSObject, Sendable {
    /// Products for sale.
    public let products: [SKProduct]
    /// Identifiers that are unknown, not for sale, or without a price in the customer's storefront.
    public let invalidProductIdentifiers: [String]

    init(products: [SKProduct], invalidProductIdentifiers: [String]) {
        self.products = products
        self.invalidProductIdentifiers = invalidProductIdentifiers
    }
}

/// Receives the answer to a products request.
///
/// Source: Apple, StoreKit documentation, "SKProductsRequestDelegate".
public protocol SKProductsRequestDelegate: SKRequestDelegate {
    /// Called with the answer, before ``SKRequestDelegate/requestDidFinish(_:)``.
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse)
}

extension StoreConnection {
    /// Maximum identifiers in one request of the protocol. Longer lists take several requests.
    static let maximumProductsInRequest = 1000

    /// Returns products in the order of their identifiers, without a delegate; an addition to StoreKit.
    ///
    /// - Throws: ``SKError``.
    public func products(for identifiers: [String]) async throws -> SKProductsResponse {
        var products: [SKProduct] = []
        var invalid: [String] = []
        var rest = identifiers[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(Self.maximumProductsInRequest))
            rest = rest.dropFirst(piece.count)
            let answer = try await store.products(ProductsQuery(productIds: piece, language: language))
            products += answer.products.map { SKProduct($0) }
            invalid += answer.invalidProductIds
        }
        knownProducts.withLock { [products] known in
            for product in products { known[product.productIdentifier] = product }
        }
        return SKProductsResponse(products: products, invalidProductIdentifiers: invalid)
    }
}
