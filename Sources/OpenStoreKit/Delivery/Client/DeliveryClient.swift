import Foundation
import HTTPTypes
import Synchronization

/// Client of the seller's content server, by the delivery/v1 protocol.
///
/// All methods throw ``DeliveryError``.
public final class DeliveryClient: Sendable {
    /// Base URL of the content server.
    public let baseURL: URL
    /// Bundle ID of the app.
    public let bundleID: String
    private let files: any FileStore
    private let http: RequestRetrier
    private let customerToken = Mutex<String?>(nil)
    private static let productListFile = "delivery-products"

    /// Makes a client. Sends nothing yet.
    ///
    /// - Parameters:
    ///   - baseURL: Base URL of the content server.
    ///   - bundleID: Bundle ID of the app.
    ///   - storageFolder: Folder for the cached product list.
    public convenience init(baseURL: URL, bundleID: String, storageFolder: URL) {
        self.init(
            baseURL: baseURL, bundleID: bundleID, files: FolderStore(folder: storageFolder),
            transport: NetworkTransport.make(), dependencies: .device)
    }

    package init(
        baseURL: URL, bundleID: String, files: any FileStore, transport: any Transport,
        dependencies: DeviceDependencies,
        retry: RetryPolicy = RetryPolicy()
    ) {
        self.baseURL = baseURL
        self.bundleID = bundleID
        self.files = files
        self.http = RequestRetrier(transport, dependencies, policy: retry)
    }

    // MARK: Products

    /// Fetches the seller's product list.
    ///
    /// Returns the cached list if it is current, or if the server doesn't answer.
    public func products() async throws -> DeliveryProductList {
        let cached = cachedProducts()
        var headers = HTTPFields()
        if let cached { headers[.ifNoneMatch] = cached.etag }
        let answer: HTTPAnswer
        do {
            answer = try await send(.get, "delivery/v1/apps/\(URL.escaped(bundleID))/products", headers: headers)
        } catch let error as DeliveryError where error.code == .noConnection || error.code == .storeUnavailable {
            guard let cached else { throw error }
            return DeliveryProductList(products: cached.products, source: .device)
        }
        if answer.status == 304, let cached {
            return DeliveryProductList(products: cached.products, source: .revalidated)
        }
        let products = try decoded(DeliveryProductsAnswer.self, answer).products
        cache(products, etag: answer.headers[.eTag])
        return DeliveryProductList(products: products, source: .server)
    }

    private struct CachedProducts: Codable {
        var etag: String
        var products: [DeliveryProduct]
    }

    private func cachedProducts() -> CachedProducts? {
        guard let data = try? files.read(Self.productListFile) else { return nil }
        return try? JSONDecoder().decode(CachedProducts.self, from: data)
    }

    /// Caches the product list. Ignores errors, since the list can be fetched again.
    private func cache(_ products: [DeliveryProduct], etag: String?) {
        guard let etag, let data = try? JSONEncoder().encode(CachedProducts(etag: etag, products: products)) else {
            try? files.remove(Self.productListFile)
            return
        }
        try? files.write(data, to: Self.productListFile)
    }

    // MARK: Customers

    /// Signs in a customer of the seller, for purchases that the store doesn't restore. Registers a new name with this password.
    public func signIn(customer: String, password: String) async throws {
        let query = CustomerSessionQuery(bundleId: bundleID, customer: customer, password: password)
        let answer = try await send(.post, "delivery/v1/customers/session", body: encoded(query))
        let token = try decoded(CustomerSessionAnswer.self, answer).token
        customerToken.withLock { $0 = token }
    }

    /// Signs the customer out of this client.
    public func signOut() {
        customerToken.withLock { $0 = nil }
    }

    // MARK: Grants

    /// Sends a receipt and returns the content that it opens. Records its non-renewing purchases for the signed-in customer.
    ///
    /// - Parameters:
    ///   - receipt: An app receipt or a transaction's receipt.
    ///   - deviceID: `identifierForVendor` that the receipt must belong to; `nil` for any device.
    public func grant(for receipt: Data, deviceID: UUID? = nil) async throws -> DeliveryGrant {
        let query = GrantQuery(bundleId: bundleID, receipt: receipt, deviceId: deviceID?.uuidString)
        let answer = try await send(.post, "delivery/v1/grants", headers: customerHeaders(), body: encoded(query))
        return try decoded(GrantAnswer.self, answer).value()
    }

    /// Returns the content of the signed-in customer's non-renewing subscriptions, from all devices.
    public func terms() async throws -> DeliveryGrant {
        let answer = try await send(.get, "delivery/v1/terms", headers: customerHeaders())
        return try decoded(GrantAnswer.self, answer).value()
    }

    private func customerHeaders() -> HTTPFields {
        customerToken.withLock { $0 }.map { [.authorization: "Bearer \($0)"] } ?? [:]
    }

    // MARK: Content

    /// Makes a download without starting it. It continues an unfinished download to the same destination, also of another process.
    ///
    /// - Parameters:
    ///   - content: A content of the grant.
    ///   - grant: The grant, whose token opens the content.
    ///   - destination: URL of the file. An unfinished download has two files beside it: `.NAME.part` and `.NAME.part.json`.
    public func download(_ content: GrantedContent, grant: DeliveryGrant, to destination: URL) -> ContentDownload {
        ContentDownload(
            contentIdentifier: content.contentId, version: content.version ?? "", size: content.size,
            destination: destination,
            job: session(for: content, grant: grant, files: DownloadFiles(destination: destination)),
            now: http.dependencies.now)
    }

    /// Makes the work of a download.
    func session(for content: GrantedContent, grant: DeliveryGrant, files: DownloadFiles) -> DownloadSession {
        let path = content.path.hasPrefix("/") ? String(content.path.dropFirst()) : content.path
        let call = HTTPCall(.get, baseURL.endpoint(path), headers: [.authorization: "Bearer \(grant.token)"])
        return DownloadSession(
            content: content, files: files, call: call, transport: http.transport, dependencies: http.dependencies,
            policy: http.policy)
    }

    /// Clock, sleep and randomness of the device.
    var dependencies: DeviceDependencies { http.dependencies }

    // MARK: Sending

    private func send(
        _ method: HTTPRequest.Method, _ path: String, headers: HTTPFields = [:], body: Data? = nil
    ) async throws -> HTTPAnswer {
        var headers = headers
        headers[.accept] = "application/json"
        if body != nil { headers[.contentType] = "application/json" }
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
