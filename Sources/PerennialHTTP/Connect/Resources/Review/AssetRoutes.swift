import AppStoreFormats
import HTTPTypes
import Hummingbird
import NIOCore
import Perennial
import PerennialConnect

/// `assets/ID/upload` and `assets/ID/NAME`: the addresses to which screenshots and images are uploaded, and where they are
/// seen. Both need no token: the first is signed, the second is public, as with Apple.
struct AssetRoutes: Sendable {
    let editor: CatalogEditor

    func add(to router: some RouterMethods<BasicConnectionContext>) {
        router.put("assets/:asset/upload") { request, context in
            let query = Dictionary(
                (QueryText.parameters(request.uri.query ?? "") ?? []).map { ($0.name, $0.value) }
            ) { first, _ in first }
            guard let offset = query["offset"].flatMap({ Int64($0) }),
                let expires = query["expires"].flatMap({ Int64($0) }),
                let signature = query["signature"]
            else {
                throw APIError(.forbidden, "linkExpired", "the address of an upload has offset, expires and signature")
            }
            let link = AssetUploadLink(
                asset: context.name("asset"), offset: offset, expires: expires, signature: signature)
            let body = try await request.collected(upTo: Int(ListingAsset.partSize))
            let bytes = Array(body.readableBytesView)
            try await editor.edit(by: .control) { try $0.upload(bytes, by: link) }
            return Response(status: .ok)
        }
        router.get("assets/:asset/:name") { _, context in
            let id = context.name("asset")
            guard let found = try await editor.read({ try $0.file(ofAsset: id) }) else {
                throw APIError(.notFound, "notFound", "there is no such image")
            }
            let isPNG = found.name.lowercased().hasSuffix(".png")
            return Response(
                status: .ok,
                headers: [
                    .contentType: isPNG ? "image/png" : "image/jpeg", .contentLength: String(found.bytes.count),
                    .cacheControl: "max-age=86400",
                ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: found.bytes)))
        }
    }
}
