import HTTPTypes
import Hummingbird
import NIOCore
import Perennial
import PerennialConnect
import PerennialDelivery

/// control/v1/apps/BUNDLE_ID/catalog/products/PRODUCT_ID/content and screenshot: files of products, sent as they are.
struct ProductFileRoutes {
    private struct ContentAnswer: AnswerModel {
        struct Version: Model, Encodable {
            var version: String
            var fileName: String
            var size: Int64
            var sha256: String
        }

        /// Oldest first. Customers get the last one.
        var versions: [Version]

        init(_ product: CatalogProduct) {
            versions = (product.listing.content?.versions ?? []).map {
                Version(version: $0.version, fileName: $0.fileName, size: $0.size, sha256: $0.sha256)
            }
        }
    }

    private struct ScreenshotAnswer: AnswerModel {
        var screenshotId: String
        var width: Int?
        var height: Int?
    }

    let editor: CatalogEditor
    /// The content server of this process; `nil` without one.
    let delivery: Delivery?

    func add(to routes: RouteGroup<ControlContext>) {
        let path = "apps/:bundleId/catalog/products/:productId"
        routes.get("\(path)/content", "The versions of a product's content") { (_: Call<NoBody>, context) in
            let (product, app) = (context.productID, context.bundleID)
            return ContentAnswer(try await editor.read { try $0.found(product, of: app) })
        }
        routes.put(
            "\(path)/content", "Upload a version of a product's content: the body is the file",
            query: [.contentVersion, .fileName], errors: [409], use: upload)
        routes.put(
            "\(path)/screenshot", "Replace a product's screenshot for App Review: the body is a PNG or JPEG",
            query: [.fileName], errors: [409], use: replaceScreenshot)
    }

    private func upload(_ call: Call<NoBody>, _ context: ControlContext) async throws -> ContentAnswer {
        let (product, app) = (context.productID, context.bundleID)
        let name = try call.required(.fileName)
        let version = call.query(.contentVersion) ?? "1.0"
        try await editor.read { try $0.found(product, of: app).checkContent(version: version, fileName: name) }
        guard let delivery else {
            throw APIError(
                .conflict, "noContentServer", "this store delivers no content: start it with a folder, serve --content")
        }
        var listed = ContentListing.Version(version: version, fileName: name, size: 0, sha256: "")
        let file = listed.path(product: product, app: app)
        let metadata = try await delivery.addContent(call.request.body.map { Array($0.readableBytesView) }, as: file)
        (listed.size, listed.sha256) = (metadata.size, metadata.hexDigest)
        do {
            return try await editor.edit(by: call.request.catalogActor) { [listed] draft in
                let number = try draft.found(product, of: app).appleID
                try draft.update(number) { try $0.addContent(listed) }
                return ContentAnswer(try draft.found(product, of: app))
            }
        } catch {
            delivery.removeContent(file)
            throw error
        }
    }

    private func replaceScreenshot(_ call: Call<NoBody>, _ context: ControlContext) async throws -> ScreenshotAnswer {
        let (product, app) = (context.productID, context.bundleID)
        let name = try call.required(.fileName)
        let bytes = Array(
            try await call.request.collected(upTo: Int(ListingAsset.maximumSize)).readableBytesView)
        return try await editor.edit(by: call.request.catalogActor) { draft in
            let found = try draft.found(product, of: app)
            if let known = found.listing.screenshot { try draft.deleteAsset(known.id) }
            let id = try draft.putScreenshot(of: found.appleID, fileName: name, bytes)
            let screenshot = try draft.found(product, of: app).listing.screenshot
            return ScreenshotAnswer(screenshotId: id, width: screenshot?.width, height: screenshot?.height)
        }
    }
}

extension QueryParameter {
    fileprivate static let contentVersion = QueryParameter(
        "version", .described("A name that the content doesn't have yet; 1.0 if omitted"))
    fileprivate static let fileName = QueryParameter(
        "fileName", isRequired: true,
        .pattern("^[A-Za-z0-9._-]{1,100}$", "The file's name on devices, such as pack.zip"))
}

extension Call {
    /// - Throws: ``APIError`` `malformedRequest`.
    fileprivate func required(_ parameter: QueryParameter) throws -> String {
        guard let text = query(parameter), !text.isEmpty else {
            throw APIError(
                .badRequest, "malformedRequest", "the query needs \(parameter.name)", field: parameter.name)
        }
        return text
    }
}
