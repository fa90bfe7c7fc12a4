// Riff
// SPDX-License-Identifier: Apache-2.0

extension ApprovalLexicon {
    /// French.
    static let french = ApprovalLexicon(
        denials: """
            no stop cancel abort wait halt nein non nicht pas deny denied reject nan ne n jamais rien aucun aucune
            personne ni sans arrête arrêtez arrêter attends attendez attendre annule annulez annuler annulé annulée
            refuse refusez refusé refuser rejette rejeté rejetée interdit interdite interdis interdire faux erreur
            danger dangereux dangereuse laisse laissez oublie oubliez retour reviens revenez minute seconde instant
            moment plutôt ignore ignorez ignorer saute sautez pause mauvais mauvaise mal surtout question guère
            nullement bloque bloquer empêche défense stoppe stoppez
            """,
        deniedStems: """
            arrêt annul refus rejet interdi
            """,
        deniedPhrases: """
            hors de, en aucun, un peu, je réfléchis, laisse moi
            """,
        approvals: """
            oui, ouais, bien sûr, certainement, absolument, évidemment, vas y, allez y, fais le, faites le,
            j autorise, j autorise ça, autorisé, c est autorisé, j accepte, accepté, je confirme, confirmé, approuvé,
            j approuve, tu peux, vous pouvez, tu peux y aller, tu peux le faire, vous pouvez le faire,
            permission accordée, accordé, exécute le, exécutez le, lance le, lancez le, volontiers, je suis d accord,
            avec plaisir, continuez, tu peux continuer
            """,
        fillers: """
            s il te plaît vous d accord ok okay bon merci alors eh ah oh et allez
            """,
        partsAtApostrophes: true
    )
}
