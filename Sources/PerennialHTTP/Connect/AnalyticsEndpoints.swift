import HTTPTypes
import Hummingbird
import Perennial
import PerennialStore

/// `v1/analyticsReportRequests` and the resources below it, down to links to files.
struct AnalyticsEndpoints: Sendable {
    private static let requestFields = ConnectQuery.Parameter.fields(
        "analyticsReportRequests", ["accessType", "stoppedDueToInactivity", "reports"])
    private static let reportFields = ConnectQuery.Parameter.fields(
        "analyticsReports", ["name", "category", "instances"])
    private static let instanceFields = ConnectQuery.Parameter.fields(
        "analyticsReportInstances", ["granularity", "processingDate", "segments"])
    private static let segmentFields = ConnectQuery.Parameter.fields(
        "analyticsReportSegments", ["checksum", "sizeInBytes", "url"])
    private static let categories = [
        "APP_USAGE", "APP_STORE_ENGAGEMENT", "COMMERCE", "FRAMEWORK_USAGE", "PERFORMANCE",
    ]

    func add(to routes: ConnectRoutes) {
        addRequests(to: routes)
        addReports(to: routes)
        addSegments(to: routes)
    }

    // MARK: Requests

    private func addRequests(to routes: ConnectRoutes) {
        let included: [ConnectQuery.Parameter] = [
            Self.requestFields, Self.reportFields, .include("reports"), .limit("reports"),
        ]
        routes.post("v1/analyticsReportRequests", .requestAnalytics, use: create)
        routes.get("v1/analyticsReportRequests/:id", .readAnalytics, included) { call in
            let request = try await Self.request(call)
            return try ConnectDocument(Self.resource(request, call), call.links, fields: Self.fields(call)).response()
        }
        routes.delete("v1/analyticsReportRequests/:id", .requestAnalytics) { call in
            guard try await call.store.analytics.remove(call.id) else {
                throw ConnectFailure.notFound("analyticsReportRequests", call.id)
            }
            // Clients fail without a type, and also where it is JSON.
            return Response(status: .noContent, headers: [.contentType: "text/plain"])
        }
        let filter = ConnectQuery.Parameter.filter("accessType", AnalyticsRequest.Access.allCases.map(\.rawValue))
        routes.get(
            "v1/apps/:id/analyticsReportRequests", .readAnalytics, included + [filter] + ConnectQuery.Parameter.paging
        ) { call in
            let app = try await AppEndpoints.app(call.id, call.store).app
            let chosen = call.query.values("filter[accessType]")
            let requests = try await call.store.analytics.requests(of: app).filter {
                chosen?.contains($0.access.rawValue) ?? true
            }
            let page = ConnectPage(of: requests, call.query).map { Self.resource($0, call) }
            return try ConnectDocument(page, call.links, fields: Self.fields(call)).response()
        }
    }

    @Sendable private func create(_ call: ConnectRoutes.Call) async throws -> Response {
        let entity = try await ConnectEntity(call.request, type: "analyticsReportRequests")
        try entity.check(attributes: ["accessType"], relationships: ["app": "apps"])
        guard let text = try entity.attribute("accessType") else { throw ConnectFailure.missingAttribute("accessType") }
        guard let access = AnalyticsRequest.Access(rawValue: text) else {
            throw ConnectFailure.entity(
                "ATTRIBUTE.INVALID", "An attribute value is not valid.",
                "'\(text)' is not a valid value for the attribute 'accessType': it is one of "
                    + AnalyticsRequest.Access.allCases.map(\.rawValue).joined(separator: ", "),
                pointer: "/data/attributes/accessType")
        }
        guard let id = entity.relationships["app"] else { throw ConnectFailure.missingRelationship("app") }
        guard let app = try await call.store.products.apps().first(where: { String($0.app.appleID) == id }) else {
            throw ConnectFailure.entity(
                "RELATIONSHIP.INVALID", "The provided entity includes a relationship with an invalid value",
                "There is no resource of type 'apps' with id '\(id)'", pointer: "/data/relationships/app/data/id")
        }
        guard let request = try await call.store.analytics.add(access, for: app.app) else {
            throw ConnectFailure(
                .conflict, "STATE_ERROR",
                "The request cannot be fulfilled because of the state of another resource.",
                "The app has an analytics report request with the access type \(access.rawValue) already")
        }
        return try ConnectDocument(Self.resource(request, call), call.links).response(.created)
    }

    // MARK: Reports and instances

    private func addReports(to routes: ConnectRoutes) {
        let filters: [ConnectQuery.Parameter] = [.filter("name"), .filter("category", Self.categories)]
        routes.get(
            "v1/analyticsReportRequests/:id/reports", .readAnalytics,
            filters + [Self.reportFields] + ConnectQuery.Parameter.paging
        ) { call in
            let (names, categories) = (call.query.values("filter[name]"), call.query.values("filter[category]"))
            let reports = call.store.analytics.reports(of: try await Self.request(call)).filter {
                names?.contains($0.kind.name) ?? true && categories?.contains("COMMERCE") ?? true
            }
            let page = ConnectPage(of: reports, call.query).map(Self.resource)
            return try ConnectDocument(page, call.links, fields: Self.fields(call)).response()
        }
        routes.get("v1/analyticsReports/:id", .readAnalytics, [Self.reportFields]) { call in
            let report = try await Self.report(call)
            return try ConnectDocument(Self.resource(report), call.links, fields: Self.fields(call)).response()
        }
        let granularities = AnalyticsInstance.Granularity.allCases.map(\.rawValue)
        routes.get(
            "v1/analyticsReports/:id/instances", .readAnalytics,
            [.filter("granularity", granularities), .filter("processingDate"), Self.instanceFields]
                + ConnectQuery.Parameter.paging
        ) { call in
            let report = try await Self.report(call)
            let asked = call.query.values("filter[granularity]")
            let dates = call.query.values("filter[processingDate]")
            let instances = try await call.store.analytics.instances(
                of: report, AnalyticsInstance.Granularity.allCases.filter { asked?.contains($0.rawValue) ?? true }
            ).filter { dates?.contains($0.instance.processingDate.description) ?? true }
            let page = ConnectPage(of: instances, call.query).map(Self.resource)
            return try ConnectDocument(page, call.links, fields: Self.fields(call)).response()
        }
        routes.get("v1/analyticsReportInstances/:id", .readAnalytics, [Self.instanceFields]) { call in
            let instance = try await Self.instance(call)
            return try ConnectDocument(Self.resource(instance), call.links, fields: Self.fields(call)).response()
        }
    }

    // MARK: Segments

    private func addSegments(to routes: ConnectRoutes) {
        routes.get(
            "v1/analyticsReportInstances/:id/segments", .readAnalytics,
            [Self.segmentFields] + ConnectQuery.Parameter.paging
        ) { call in
            let segment = try await call.store.analytics.segment(of: try await Self.instance(call))
            let page = ConnectPage(of: [Self.resource(segment, call)], call.query)
            return try ConnectDocument(page, call.links, fields: Self.fields(call)).response()
        }
        routes.get("v1/analyticsReportSegments/:id", .readAnalytics, [Self.segmentFields]) { call in
            guard let instance = try await call.store.analytics.instance(ofSegment: call.id) else {
                throw ConnectFailure.notFound("analyticsReportSegments", call.id)
            }
            let segment = try await call.store.analytics.segment(of: instance)
            return try ConnectDocument(Self.resource(segment, call), call.links, fields: Self.fields(call)).response()
        }
    }

    // MARK: Finding

    private static func request(_ call: ConnectRoutes.Call) async throws -> AnalyticsRequest {
        guard let request = try await call.store.analytics.request(call.id) else {
            throw ConnectFailure.notFound("analyticsReportRequests", call.id)
        }
        return request
    }

    private static func report(_ call: ConnectRoutes.Call) async throws -> Analytics.Report {
        guard let report = try await call.store.analytics.report(call.id) else {
            throw ConnectFailure.notFound("analyticsReports", call.id)
        }
        return report
    }

    private static func instance(_ call: ConnectRoutes.Call) async throws -> Analytics.Instance {
        guard let instance = try await call.store.analytics.instance(call.id) else {
            throw ConnectFailure.notFound("analyticsReportInstances", call.id)
        }
        return instance
    }

    private static func fields(_ call: ConnectRoutes.Call) -> [String: Set<String>] {
        var chosen: [String: Set<String>] = [:]
        for parameter in [requestFields, reportFields, instanceFields, segmentFields] {
            let type = String(parameter.name.dropFirst("fields[".count).dropLast())
            chosen[type] = call.query.fields(type)
        }
        return chosen
    }
}

// MARK: - Resources

extension AnalyticsEndpoints {
    private static func resource(_ request: AnalyticsRequest, _ call: ConnectRoutes.Call) -> ConnectResource {
        var related = ConnectResource.Relationship(name: "reports")
        if call.query.includes("reports") {
            let reports = call.store.analytics.reports(of: request).map(resource)
            related.limit = call.query.text("limit[reports]").flatMap { Int($0) } ?? ConnectQuery.usualIncluded
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

    private static func resource(_ segment: AnalyticsSegment, _ call: ConnectRoutes.Call) -> ConnectResource {
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
