/// All pages of the console.
enum ConsoleChapters {
    static let all: [any ConsoleChapter] =
        StatisticsChapters.all + LiveChapters.all + CustomersChapters.all + SellerChapters.all + InspectionChapters.all
        + OperationsChapters.all
}
