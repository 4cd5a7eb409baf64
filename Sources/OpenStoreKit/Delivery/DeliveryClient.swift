import Foundation
import NIOHTTP1
import Synchronization

/// Speaks with the seller's content server.
///
/// Errors are ``DeliveryError``.
public final class DeliveryClient: Sendable {
    public let baseURL: URL
    public let bundleID: String
    private let files: any FileStore
    private let http: Retrying
    private let customerToken = Mutex<String?>(nil)
    private static let productListFile = "delivery-products"

    /// - Parameter storageFolder: Where the product list is kept.
    public convenience init(baseURL: URL, bundleID: String, storageFolder: URL) {
        self.init(
            baseURL: baseURL, bundleID: bundleID, files: FolderStore(folder: storageFolder),
            transport: AsyncHTTPTransport(), surroundings: .device)
    }

    package init(
        baseURL: URL, bundleID: String, files: any FileStore, transport: any Transport, surroundings: Surroundings,
        retry: RetryPolicy = RetryPolicy()
    ) {
        self.baseURL = baseURL
        self.bundleID = bundleID
        self.files = files
        self.http = Retrying(transport, surroundings, policy: retry)
    }

    // MARK: Products

    /// The seller's master list of products, for the app's shop window.
    ///
    /// The list on the device is used where the server says that it is current, or doesn't answer.
    public func products() async throws -> DeliveryProductList {
        let kept = keptProducts()
        var headers = HTTPHeaders()
        if let kept { headers.add(name: "If-None-Match", value: kept.etag) }
        let answer: HTTPAnswer
        do {
            answer = try await send(.GET, "delivery/v1/apps/\(URL.escaped(bundleID))/products", headers: headers)
        } catch let error as DeliveryError where error.code == .noConnection || error.code == .storeUnavailable {
            guard let kept else { throw error }
            return DeliveryProductList(products: kept.products, source: .device)
        }
        if answer.status == 304, let kept {
            return DeliveryProductList(products: kept.products, source: .revalidated)
        }
        let products = try decoded(DeliveryProductsAnswer.self, answer).products
        keep(products, etag: answer.headers.first(name: "ETag"))
        return DeliveryProductList(products: products, source: .server)
    }

    private struct KeptProducts: Codable {
        var etag: String
        var products: [DeliveryProduct]
    }

    private func keptProducts() -> KeptProducts? {
        guard let data = try? files.read(Self.productListFile) else { return nil }
        return try? JSONDecoder().decode(KeptProducts.self, from: data)
    }

    /// A list that can't be kept is only asked for again.
    private func keep(_ products: [DeliveryProduct], etag: String?) {
        guard let etag, let data = try? JSONEncoder().encode(KeptProducts(etag: etag, products: products)) else {
            try? files.remove(Self.productListFile)
            return
        }
        try? files.write(data, to: Self.productListFile)
    }

    // MARK: Customers

    /// Signs a customer of the seller's in, for what the store doesn't restore. A name seen for the first time is
    /// registered with this password.
    public func signIn(customer: String, password: String) async throws {
        let query = CustomerSessionQuery(bundleId: bundleID, customer: customer, password: password)
        let answer = try await send(.POST, "delivery/v1/customers/session", body: encoded(query))
        let token = try decoded(CustomerSessionAnswer.self, answer).token
        customerToken.withLock { $0 = token }
    }

    public func signOut() {
        customerToken.withLock { $0 = nil }
    }

    // MARK: Grants

    /// Shows a receipt, and learns what it opens. Non-renewing purchases in it become the signed-in customer's.
    ///
    /// - Parameter receipt: An app receipt or a transaction's receipt.
    public func grant(for receipt: Data, deviceID: UUID? = nil) async throws -> DeliveryGrant {
        let query = GrantQuery(bundleId: bundleID, receipt: receipt, deviceId: deviceID?.uuidString)
        let answer = try await send(.POST, "delivery/v1/grants", headers: customerHeaders(), body: encoded(query))
        return try decoded(GrantAnswer.self, answer).value()
    }

    /// What the signed-in customer's non-renewing subscriptions open, on any of his devices.
    public func terms() async throws -> DeliveryGrant {
        let answer = try await send(.GET, "delivery/v1/terms", headers: customerHeaders())
        return try decoded(GrantAnswer.self, answer).value()
    }

    private func customerHeaders() -> HTTPHeaders {
        customerToken.withLock { $0 }.map { ["Authorization": "Bearer \($0)"] } ?? [:]
    }

    // MARK: Content

    /// Prepares a download; nothing happens before it is started. One that was begun earlier, in this process or
    /// another, for the same destination goes on where it stopped.
    ///
    /// - Parameters:
    ///   - grant: The token that opens the content, of a grant that lists it.
    ///   - destination: The file to be. While the download is unfinished, there are two files beside it whose names
    ///     begin with its name.
    public func download(_ content: GrantedContent, grant: DeliveryGrant, to destination: URL) -> ContentDownload {
        let path = content.path.hasPrefix("/") ? String(content.path.dropFirst()) : content.path
        let call = HTTPCall(.GET, baseURL.endpoint(path), headers: ["Authorization": "Bearer \(grant.token)"])
        return ContentDownload(
            content, destination: destination,
            session: DownloadSession(
                content: content, files: DownloadFiles(destination: destination), call: call,
                transport: http.transport, surroundings: http.surroundings, policy: http.policy))
    }

    // MARK: Sending

    private func send(
        _ method: HTTPMethod, _ path: String, headers: HTTPHeaders = [:], body: Data? = nil
    ) async throws -> HTTPAnswer {
        var headers = headers
        headers.add(name: "Accept", value: "application/json")
        if body != nil { headers.add(name: "Content-Type", value: "application/json") }
        let answer: HTTPAnswer
        do {
            answer = try await http.send(HTTPCall(method, baseURL.endpoint(path), headers: headers, body: body))
        } catch {
            throw DeliveryError(wrapping: error)
        }
        guard (200..<300).contains(answer.status) || answer.status == 304 else {
            throw DeliveryError(status: answer.status, body: answer.body)
        }
        return answer
    }

    private func encoded(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(value)
    }

    private func decoded<Answer: Decodable>(_ type: Answer.Type, _ answer: HTTPAnswer) throws -> Answer {
        do {
            return try JSONDecoder().decode(type, from: answer.body)
        } catch {
            throw DeliveryError(.malformedAnswer, reason: "the server's answer was not understood: \(error)")
        }
    }
}
