import AppStoreFormats
import HTTPTypes
import Hummingbird
import NIOCore
import PerennialStore

/// `analytics/NAME.txt.gz`: the files that signed links lead to, without a token.
struct AnalyticsFileRoute: Sendable {
    let stores: StoreResolver

    func add(to router: some RouterMethods<BasicConnectionContext>) {
        router.get("analytics/:file") { request, context in
            let store = try await stores.store(for: context)
            let query = Dictionary(
                (QueryText.parameters(request.uri.query ?? "") ?? []).map { ($0.name, $0.value) }
            ) { first, _ in first }
            let name = context.name("file")
            guard name.hasSuffix(".txt.gz"), let expires = query["expires"].flatMap({ Int64($0) }),
                let signature = query["signature"],
                let segment = try await store.analytics.segment(
                    of: AnalyticsLink(
                        segmentID: String(name.dropLast(".txt.gz".count)), expires: expires, signature: signature))
            else {
                throw APIError(
                    .forbidden, "linkExpired",
                    "this link is not or no longer valid: read the segment again for a new one")
            }
            return Response(
                status: .ok,
                headers: [.contentType: "application/a-gzip", .contentLength: String(segment.bytes.count)],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: segment.bytes)))
        }
    }
}
