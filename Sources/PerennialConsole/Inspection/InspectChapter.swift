import AppStoreFormats
import Perennial
import PerennialStore

/// The page Inspect: a field to paste anything into, and what it is.
struct InspectChapter: ConsoleChapter {
    /// A form's encoding makes text longer than what is inspected.
    private static let maximumLength = Inspector.maximumSize / 2 * 3

    func add(to routes: ConsoleRoutes) {
        routes.page("inspect", .operate) { request in
            guard let id = request.query["id"], !id.isEmpty else { return Self.page(request) }
            let found = try await Self.inspected(id: id, request)
            return Self.page(request, text: id, InspectionBlocks(request: request).blocks(of: found))
        }
        routes.form("inspect", .operate, maximumLength: Self.maximumLength) { try await Self.answer($0) }
    }

    private static func answer(_ form: FormRequest) async throws -> FormAnswer {
        let text = form.values["text"]
        let file = form.values.files["file"]?.bytes ?? []
        let device = form.values.optional("device")
        var inspected = InspectionRequest(file.isEmpty ? Array(text.utf8) : file, bundleID: form.page.app?.bundleID)
        inspected.device = device.flatMap(InspectionRequest.deviceIdentifier)
        guard !inspected.bytes.isEmpty else {
            return .page(page(form.page, error: .phrase(InspectionPhrases.noInput), status: 422))
        }
        if let device, inspected.device == nil {
            return .page(page(form.page, text: text, device: device, status: 422))
        }
        let found = try await form.page.store.inspections.inspect(
            inspected, authority: form.page.services.authority)
        // Neither a key nor a secret goes back to the browser; a StoreKit file may have a key, too.
        let isSecret =
            !found.kinds.isDisjoint(with: [.privateKey, .sharedSecret, .storeKitFile]) || text.contains("PRIVATE KEY")
        return .shown(
            page(
                form.page, text: isSecret ? "" : String(text.prefix(100_000)), device: device ?? "",
                InspectionBlocks(request: form.page).blocks(of: found)))
    }

    /// Inspects what an ID names: a transaction or a notification as it is sent, otherwise the ID itself.
    private static func inspected(id: String, _ request: PageRequest) async throws -> Inspection {
        let (store, authority) = (request.store, request.services.authority)
        var text = String(id.prefix(1_000))
        if let bundleID = request.app?.bundleID {
            let app = try await store.app(bundleID)
            if let number = TransactionID(text), let found = try? await store.transactions.transaction(number, of: app)
            {
                text = try await store.receipts.signedTransaction(found, bundleID: bundleID)
            } else if let found = try? await store.notifications.notification(text, of: bundleID) {
                if let body = try await store.notifications.version1Body(of: found, bundleID) {
                    text = String(decoding: body, as: UTF8.self)
                } else {
                    text = found.signedPayload ?? text
                }
            }
        }
        return try await store.inspections.inspect(InspectionRequest(Array(text.utf8)), authority: authority)
    }

    private static func page(
        _ request: PageRequest, text: String = "", device: String = "", error: Text? = nil, status: Int = 200,
        _ result: [Block] = []
    ) -> Page {
        let isWrong = !device.isEmpty && InspectionRequest.deviceIdentifier(device) == nil
        let form = Form(
            request.path("inspect"), submit: .phrase(InspectionPhrases.inspect), sendsFiles: true,
            same: request.sameHere("inspect FILE", .init("POST", "control/v1/inspect", #"{"text": "…"}"#)),
            [
                Field(
                    "text", .phrase(InspectionPhrases.paste), .multiline(rows: 8), value: text,
                    hint: .phrase(InspectionPhrases.pasteHint), error: error),
                Field("file", .phrase(InspectionPhrases.file), .file(accepting: "")),
                Field(
                    "device", .phrase(InspectionPhrases.device), value: device,
                    hint: .phrase(InspectionPhrases.deviceHint),
                    error: isWrong ? .phrase(InspectionPhrases.deviceWrong) : nil, maximumLength: 64),
            ])
        let blocks: [Block] = result.isEmpty ? [.form(form)] : result + [.form(form)]
        return Page(.phrase(InspectionPhrases.inspect), .inspect, status: status, blocks)
    }
}
