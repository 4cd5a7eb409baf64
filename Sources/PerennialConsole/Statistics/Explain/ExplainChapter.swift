import Perennial
import PerennialStore

/// Explanations of figures.
struct ExplainChapter: ConsoleChapter {
    func add(to routes: ConsoleRoutes) {
        routes.page("explain", .viewSales) { try await Self.page($0) }
        routes.page(SalesExplanation.comparisonPath, .viewSales) { try await SalesExplanation($0, $0.query).compared() }
        routes.page(StatisticExplanation.entriesPath, .viewSales) { request in
            guard let explanation = StatisticExplanation(request, request.query) else { throw Self.unknown }
            return try await explanation.replayed()
        }
    }

    private static func page(_ request: PageRequest) async throws -> Page {
        switch request.query["figure"] {
        case "statistic" where request.query["column"]?.isEmpty == false:
            guard let explanation = try ColumnFigurePage(request) else { throw unknown }
            return try await explanation.page()
        case "statistic":
            guard let explanation = StatisticExplanation(request, request.query) else { throw unknown }
            return try await explanation.page()
        case "financial":
            guard request.allows(.viewMoney) else { throw ConsoleError.forbidden(.viewMoney) }
            guard let explanation = try PaymentFigurePage(ofApp: request) else { throw unknown }
            return try await explanation.page()
        case nil, "sales": return try await SalesExplanation(request, request.query).page()
        default: throw unknown
        }
    }

    private static let unknown = ConsoleError.notFound(.phrase(ExplainPhrases.unknownFigure))
}
