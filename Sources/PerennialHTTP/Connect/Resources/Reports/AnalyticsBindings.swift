import HTTPTypes
import Hummingbird
import Perennial
import PerennialStore

/// Bindings of `analyticsReportRequests` and the resources below it, down to links to files.
///
/// All operations have handlers of their own: the chapter makes reports, instances and segments when they are asked for.
enum AnalyticsBindings {
    static let all: [ConnectBinding] = [
        binding(
            "analyticsReportRequests",
            [
                "POST v1/analyticsReportRequests": create, "GET v1/analyticsReportRequests/{id}": request,
                "DELETE v1/analyticsReportRequests/{id}": delete,
                "GET v1/analyticsReportRequests/{id}/reports": reports,
                "GET v1/analyticsReportRequests/{id}/relationships/reports": reports,
            ]),
        binding(
            "analyticsReports",
            [
                "GET v1/analyticsReports/{id}": report, "GET v1/analyticsReports/{id}/instances": instances,
                "GET v1/analyticsReports/{id}/relationships/instances": instances,
            ]),
        binding(
            "analyticsReportInstances",
            [
                "GET v1/analyticsReportInstances/{id}": instance,
                "GET v1/analyticsReportInstances/{id}/segments": segments,
                "GET v1/analyticsReportInstances/{id}/relationships/segments": segments,
            ]),
        binding("analyticsReportSegments", ["GET v1/analyticsReportSegments/{id}": segment]),
        ofApps,
    ]

    private static var ofApps: ConnectBinding {
        var binding = ConnectBinding.addition(to: "apps")
        binding.custom = [
            "GET v1/apps/{id}/analyticsReportRequests": requests,
            "GET v1/apps/{id}/relationships/analyticsReportRequests": requests,
        ]
        return binding
    }

    private static func binding(
        _ type: String, _ handlers: [String: @Sendable (ConnectCall) async throws -> Response]
    ) -> ConnectBinding {
        var binding = ConnectBinding(type: type) { _, _ in nil }
        binding.custom = handlers
        return binding
    }

    // MARK: Requests

    @Sendable private static func create(_ call: ConnectCall) async throws -> Response {
        let entity = call.entity
        guard let access = try entity?.text("accessType").flatMap(AnalyticsRequest.Access.init),
            let id = entity?.one("app")
        else { throw ConnectFailure.unprocessable("Unexpected or invalid value at 'data'.") }
        guard let request = try await call.store.analytics.add(access, for: try await app(id, call).app) else {
            throw ConnectFailure(
                .conflict, "STATE_ERROR",
                "The request cannot be fulfilled because of the state of another resource.",
                "The app has an analytics report request with the access type \(access.rawValue) already")
        }
        return try ConnectDocument(resource(request, call), call).response(.created)
    }

    @Sendable private static func request(_ call: ConnectCall) async throws -> Response {
        try ConnectDocument(resource(try await found(call), call), call).response()
    }

    @Sendable private static func delete(_ call: ConnectCall) async throws -> Response {
        guard try await call.store.analytics.remove(call.id) else {
            throw ConnectFailure.notFound("analyticsReportRequests", call.id)
        }
        // Clients fail without a type, and also where it is JSON.
        return Response(status: .noContent, headers: [.contentType: "text/plain"])
    }

    @Sendable private static func requests(_ call: ConnectCall) async throws -> Response {
        let chosen = call.query.values("filter[accessType]")
        let requests = try await call.store.analytics.requests(of: try await app(call.id, call).app).filter {
            chosen?.contains($0.access.rawValue) ?? true
        }
        return try page(requests, call) { resource($0, call) }
    }

    // MARK: Reports, instances and segments

    @Sendable private static func reports(_ call: ConnectCall) async throws -> Response {
        let (names, categories) = (call.query.values("filter[name]"), call.query.values("filter[category]"))
        let reports = call.store.analytics.reports(of: try await found(call)).filter {
            names?.contains($0.kind.name) ?? true && categories?.contains("COMMERCE") ?? true
        }
        return try page(reports, call, resource)
    }

    @Sendable private static func report(_ call: ConnectCall) async throws -> Response {
        try ConnectDocument(resource(try await foundReport(call)), call).response()
    }

    @Sendable private static func instances(_ call: ConnectCall) async throws -> Response {
        let report = try await foundReport(call)
        let asked = call.query.values("filter[granularity]")
        let dates = call.query.values("filter[processingDate]")
        let instances = try await call.store.analytics.instances(
            of: report, AnalyticsInstance.Granularity.allCases.filter { asked?.contains($0.rawValue) ?? true }
        ).filter { dates?.contains($0.instance.processingDate.description) ?? true }
        return try page(instances, call, resource)
    }

    @Sendable private static func instance(_ call: ConnectCall) async throws -> Response {
        try ConnectDocument(resource(try await foundInstance(call)), call).response()
    }

    @Sendable private static func segments(_ call: ConnectCall) async throws -> Response {
        let segment = try await call.store.analytics.segment(of: try await foundInstance(call))
        return try page([segment], call) { resource($0, call) }
    }

    @Sendable private static func segment(_ call: ConnectCall) async throws -> Response {
        guard let instance = try await call.store.analytics.instance(ofSegment: call.id) else {
            throw ConnectFailure.notFound("analyticsReportSegments", call.id)
        }
        let segment = try await call.store.analytics.segment(of: instance)
        return try ConnectDocument(resource(segment, call), call).response()
    }

    private static func page<Element: Sendable>(
        _ all: [Element], _ call: ConnectCall, _ resource: (Element) -> ConnectResource
    ) throws -> Response {
        let page = ConnectPage(of: all, call.query).map(resource)
        if case .linkages = call.operation.action { return try ConnectDocument(linkages: page, call).response() }
        return try ConnectDocument(page, call).response()
    }

    // MARK: Finding

    private static func app(_ id: String, _ call: ConnectCall) async throws -> SellerApp {
        guard let app = try await call.store.products.apps().first(where: { String($0.app.appleID) == id }),
            call.key.visibleApps?.contains(app.app.appleID) ?? true
        else { throw ConnectFailure.notFound("apps", id) }
        return app
    }

    private static func found(_ call: ConnectCall) async throws -> AnalyticsRequest {
        guard let request = try await call.store.analytics.request(call.id) else {
            throw ConnectFailure.notFound("analyticsReportRequests", call.id)
        }
        return request
    }

    private static func foundReport(_ call: ConnectCall) async throws -> Analytics.Report {
        guard let report = try await call.store.analytics.report(call.id) else {
            throw ConnectFailure.notFound("analyticsReports", call.id)
        }
        return report
    }

    private static func foundInstance(_ call: ConnectCall) async throws -> Analytics.Instance {
        guard let instance = try await call.store.analytics.instance(call.id) else {
            throw ConnectFailure.notFound("analyticsReportInstances", call.id)
        }
        return instance
    }
}

// MARK: - Resources

extension AnalyticsBindings {
    private static func resource(_ request: AnalyticsRequest, _ call: ConnectCall) -> ConnectResource {
        var related = ConnectResource.Relationship(name: "reports")
        if call.query.includes("reports") {
            let reports = call.store.analytics.reports(of: request).map(resource)
            related.limit = call.query.limit(of: "reports")
            related.total = reports.count
            related.included = Array(reports.prefix(related.limit))
        }
        return ConnectResource(
            type: "analyticsReportRequests", id: request.id,
            attributes: [
                "accessType": .text(request.access.rawValue), "stoppedDueToInactivity": .bool(false),
            ], relationships: [related])
    }

    private static func resource(_ report: Analytics.Report) -> ConnectResource {
        ConnectResource(
            type: "analyticsReports", id: report.id,
            attributes: ["name": .text(report.kind.name), "category": .text("COMMERCE")],
            relationships: [ConnectResource.Relationship(name: "instances")])
    }

    private static func resource(_ instance: Analytics.Instance) -> ConnectResource {
        ConnectResource(
            type: "analyticsReportInstances", id: instance.id,
            attributes: [
                "granularity": .text(instance.instance.granularity.rawValue),
                "processingDate": .text(instance.instance.processingDate.description),
            ], relationships: [ConnectResource.Relationship(name: "segments")])
    }

    private static func resource(_ segment: AnalyticsSegment, _ call: ConnectCall) -> ConnectResource {
        let link = call.store.analytics.link(to: segment.id)
        let url = call.links.url(
            "/analytics/\(link.segmentID).txt.gz?expires=\(link.expires)&signature=\(link.signature)")
        return ConnectResource(
            type: "analyticsReportSegments", id: segment.id,
            attributes: [
                "checksum": .text(segment.checksum), "sizeInBytes": .integer(Int64(segment.bytes.count)),
                "url": .text(url),
            ])
    }
}
