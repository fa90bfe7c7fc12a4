// Riff
// SPDX-License-Identifier: Apache-2.0

extension ApprovalLexicon {
    /// German. "Lieber" and "lass" deny: what follows them is another wish.
    static let german = ApprovalLexicon(
        denials: """
            no stop cancel abort wait halt nein non nicht pas deny denied reject nee ne nö nein nie niemals nichts
            niemand nirgends ohne weder stopp warte wart warten moment sekunde minute abbrechen abbruch abgebrochen
            falsch fehler gefahr gefährlich lass lasst lassen lieber vergiss zurück rückgängig pause bloß aufhören
            auf-hören hör quatsch unsinn blödsinn schlecht brich bricht vorsicht untersagt keinesfalls keineswegs eher
            später-nicht rücknahme weg
            """,
        deniedStems: """
            kein nicht abgelehn verweiger ablehn lehn verbiet verbot überspring ignorier verhinder blockier stopp
            widersprech widerspruch unterlass untersag abbrech
            """,
        deniedPhrases: """
            auf keinen, unter keinen, in frage, halt an, gib mir, ich überlege, mal sehen
            """,
        approvals: """
            ja, jawohl, jep, klar, na klar, sicher, natürlich, selbstverständlich, gerne, gern, einverstanden,
            ich bin einverstanden, erlaubt, ich erlaube es, ich erlaube das, erlaube es, erlaube das, genehmigt,
            ich genehmige es, bestätigt, ich bestätige, ich bestätige das, ich bestätige es, bestätige, mach das,
            mach es, machen sie das, tu es, tu das, leg los, nur zu, führ es aus, führe es aus, führ das aus,
            führe das aus, ausführen, du darfst, du darfst das, darfst du, das ist in ordnung, das geht in ordnung,
            mach weiter, fortfahren, zugestimmt, ich stimme zu, auf jeden fall, freigegeben, absolut,
            ja das darfst du, los gehts, los geht's
            """,
        fillers: """
            bitte okay ok und danke gut also ach oh so dann
            """
    )
}
