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

    private struct VersionBody: RequestModel {
        var version: String

        static let constraints: [String: Constraint] = ["version": .described("A version that the content has")]
    }

    private struct ScreenshotAnswer: AnswerModel {
        var screenshotId: String
        var width: Int?
        var height: Int?
    }

    let editor: CatalogEditor
    /// The content server of this process; `nil` without one.
    let delivery: Delivery?

    private var content: ProductContent { ProductContent(editor: editor, delivery: delivery) }

    func add(to routes: RouteGroup<ControlContext>) {
        let path = "apps/:bundleId/catalog/products/:productId"
        routes.get("\(path)/content", "The versions of a product's content") { (_: Call<NoBody>, context) in
            let (product, app) = (context.productID, context.bundleID)
            return ContentAnswer(try await editor.read { try $0.found(product, of: app) })
        }
        routes.put(
            "\(path)/content", "Upload a version of a product's content: the body is the file",
            query: [.contentVersion, .fileName], errors: [409], use: upload)
        routes.post("\(path)/content/use", "Let customers get an earlier version of a product's content", errors: [409])
        {
            (call: Call<VersionBody>, context) in
            ContentAnswer(
                try await content.use(
                    try await call.body().version, of: context.productID, of: context.bundleID,
                    by: call.request.catalogActor))
        }
        routes.post("\(path)/content/remove", "Remove a version of a product's content", errors: [409]) {
            (call: Call<VersionBody>, context) in
            ContentAnswer(
                try await content.remove(
                    try await call.body().version, of: context.productID, of: context.bundleID,
                    by: call.request.catalogActor))
        }
        routes.put(
            "\(path)/screenshot", "Replace a product's screenshot for App Review: the body is a PNG or JPEG",
            query: [.fileName], errors: [409], use: replaceScreenshot)
    }

    private func upload(_ call: Call<NoBody>, _ context: ControlContext) async throws -> ContentAnswer {
        let (product, app) = (context.productID, context.bundleID)
        let name = try call.required(.fileName)
        let version = call.query(.contentVersion) ?? "1.0"
        do {
            return ContentAnswer(
                try await content.add(
                    call.request.body.map { Array($0.readableBytesView) }, version: version, fileName: name,
                    to: product, of: app, by: call.request.catalogActor))
        } catch let error as ProductContent.NoServer {
            throw APIError(.conflict, "noContentServer", error.reason)
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
