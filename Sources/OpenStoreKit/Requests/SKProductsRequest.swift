import Foundation

/// Requests titles, descriptions and prices of products.
///
/// Without a store all identifiers are invalid.
///
/// Source: Apple, StoreKit documentation, "SKProductsRequest".
open class SKProductsRequest: SKRequest {
    private let productIdentifiers: Set<String>

    /// Makes a request without identifiers, for subclasses.
    public override init() {
        self.productIdentifiers = []
        super.init()
    }

    /// Makes a request.
    public init(productIdentifiers: Set<String>) {
        self.productIdentifiers = productIdentifiers
        super.init()
    }

    /// Makes a request on a connection.
    package convenience init(productIdentifiers: Set<String>, connection: StoreConnection) {
        self.init(productIdentifiers: productIdentifiers)
        self.connection = connection
    }

    /// Delegate, held weakly.
    open var delegate: (any SKProductsRequestDelegate)? {
        get { _requestDelegate as? any SKProductsRequestDelegate }
        set { _requestDelegate = newValue }
    }

    override nonisolated func perform(on connection: StoreConnection?) async -> @Sendable (SKRequest) -> Void {
        let identifiers = productIdentifiers.sorted()
        do {
            let response =
                try await connection?.products(for: identifiers)
                ?? SKProductsResponse(products: [], invalidProductIdentifiers: identifiers)
            return { request in
                guard let request = request as? SKProductsRequest else { return }
                request.delegate?.productsRequest(request, didReceive: response)
                request.delegate?.requestDidFinish(request)
            }
        } catch {
            let error = SKError(wrapping: error)
            return { $0._requestDelegate?.request($0, didFailWithError: error) }
        }
    }
}

/// The answer to a products request.
///
/// Source: Apple, StoreKit documentation, "SKProductsResponse".
open class SKProductsResponse: NSObject, @unchecked Sendable {
    private let found: [SKProduct]
    private let invalid: [String]

    /// Makes an empty response, for subclasses.
    public override init() {
        (found, invalid) = ([], [])
    }

    init(products: [SKProduct], invalidProductIdentifiers: [String]) {
        (found, invalid) = (products, invalidProductIdentifiers)
    }

    /// Products for sale.
    open var products: [SKProduct] { found }
    /// Identifiers that are unknown, not for sale, or without a price in the customer's storefront.
    open var invalidProductIdentifiers: [String] { invalid }
}

/// Receives the answer to a products request, on the main queue.
///
/// Source: Apple, StoreKit documentation, "SKProductsRequestDelegate".
public protocol SKProductsRequestDelegate: SKRequestDelegate {
    /// Called with the answer, before ``SKRequestDelegate/requestDidFinish(_:)``.
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse)
}

extension StoreConnection {
    /// Maximum identifiers in one request of the protocol. Longer lists take several requests.
    static let maximumProductsInRequest = 1000

    /// Returns products in the order of their identifiers, without a delegate.
    ///
    /// - Throws: ``SKError``.
    public func products(for identifiers: [String]) async throws -> SKProductsResponse {
        do {
            let contents = hostedContents
            async let list: Void = contents.refreshOnce()
            let answer = try await storeProducts(for: identifiers)
            await list
            return SKProductsResponse(
                products: answer.products.map { SKProduct($0, content: contents.content(of: $0.productId)) },
                invalidProductIdentifiers: answer.invalidProductIds)
        } catch {
            throw SKError(wrapping: error)
        }
    }

    /// Returns products as the store sends them, in the order of their identifiers.
    ///
    /// - Throws: ``StoreFailure``.
    func storeProducts(for identifiers: [String]) async throws -> ProductsAnswer {
        var answer = ProductsAnswer(products: [], invalidProductIds: [])
        var rest = identifiers[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(Self.maximumProductsInRequest))
            rest = rest.dropFirst(piece.count)
            let next = try await store.products(ProductsQuery(productIds: piece, language: language))
            answer.products += next.products
            answer.invalidProductIds += next.invalidProductIds
        }
        knownProducts.add(answer.products)
        return answer
    }
}
