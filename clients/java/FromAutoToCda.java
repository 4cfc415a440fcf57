// One case from the auto to the Certidão de Dívida Ativa, through the client generated from /openapi.json.
// POSTURAS_URL and POSTURAS_KEY say whom to ask; the argument is the file that the certidão goes to.

import br.posturas.ApiClient;
import br.posturas.ApiException;
import br.posturas.api.PosturasApi;
import br.posturas.model.Ato;
import br.posturas.model.Inscricao;
import br.posturas.model.PedidoDeVarredura;
import br.posturas.model.Registrado;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;

public final class FromAutoToCda {
    private static final String IBGE = "3204708";
    private static final String AUTO = "2/2013";

    private final PosturasApi api;

    private FromAutoToCda(PosturasApi api) {
        this.api = api;
    }

    public static void main(String[] arguments) throws Exception {
        ApiClient client = new ApiClient();
        client.updateBaseUri(System.getenv("POSTURAS_URL"));
        String key = System.getenv("POSTURAS_KEY");
        client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + key));
        new FromAutoToCda(new PosturasApi(client)).run(Path.of(arguments[0]));
    }

    private void run(Path file) throws Exception {
        Ato drawnUp = act("lavratura", "2013-03-01", "F. Lima", "fiscal")
            .law("es-3204708/lei-1522-2005")
            .putAdditionalProperty("infrator", Map.of(
                "name", "Ana Souza", "doc", "529.982.247-25", "kind", "pf",
                "address", Map.of("street", "Rua B", "city", "São Gabriel da Palha", "uf", "ES")))
            .putAdditionalProperty("fact", Map.of(
                "date", "2013-02-20T22:00", "place", "Praça Central", "article", "64-I",
                "description", "Som alto na calçada"))
            .putAdditionalProperty("perigo_iminente", "risco à saúde")
            .putAdditionalProperty("signature", Map.of(
                "by", "recusa", "witnesses", List.of("Um da Silva", "Dois da Silva")));
        record(drawnUp, "java-1");
        check(true, record(drawnUp, "java-1").getKnown(), "the same key is the same act");
        refused(409, "chave_com_outro_conteudo", served("ciencia", "2013-03-08"), "java-1");
        refused(403, "papel_nao_autorizado", act("renuncia", "2013-03-11", "Ana Souza", "autuado"), "java-2");
        record(served("ciencia", "2013-03-08"), "java-2");
        sweep("2013-04-01", "em_julgamento"); // 15 days from Friday 08/03
        record(act("julgamento", "2013-04-01", "S. Reis", "secretario")
            .putAdditionalProperty("outcome", "subsistente")
            .putAdditionalProperty("report", "relatório")
            .putAdditionalProperty("grounds", "fundamentos")
            .putAdditionalProperty("articles_infringed", List.of("64-I"))
            .putAdditionalProperty("articles_penalty", List.of("64-T")), "java-3");
        record(served("ciencia_decisao", "2013-04-02"), "java-4");
        sweep("2013-04-22", "definitivo"); // 15 days from Tuesday 02/04
        record(served("intimacao_pagamento", "2013-04-24").putAdditionalProperty("received", "2013-04-23"), "java-5");
        sweep("2013-05-02", "inscrito"); // 48 hours from Wednesday 24/04 ended on Friday: inscribed on Monday 29/04
        String number = inscription();
        record(act("autenticacao", "2013-05-06", "Maria Prado", "divida_ativa")
            .office("Chefe da Dívida Ativa")
            .putAdditionalProperty("inscription", number), "java-6");
        print(number, file);
    }

    private String inscription() throws ApiException {
        Inscricao debt = api.listRegister(IBGE, null, null, null, null, null).getItems().stream()
            .filter(item -> item.getAuto().equals(AUTO)).findFirst().orElseThrow();
        check("2013-04-29", debt.getDate().toString(), "the day of the inscription");
        // 11 units of R$ 30,00, and the tenth that comes with not paying.
        check(new BigDecimal("330.00"), new BigDecimal(debt.getOriginalAmount()), "the fine");
        check(new BigDecimal("33.00"), new BigDecimal(debt.getCharges()), "what not paying adds");
        check(new BigDecimal("363.00"), new BigDecimal(debt.getTotal()), "the total");
        System.out.printf("  inscrição %s: %s + %s = %s%n",
            debt.getNumber(), debt.getOriginalAmount(), debt.getCharges(), debt.getTotal());
        return debt.getNumber();
    }

    private void print(String number, Path file) throws Exception {
        Path printed = api.printCda(number, IBGE, "2013-05-07").toPath();
        byte[] bytes = Files.readAllBytes(printed);
        check("%PDF-", new String(bytes, 0, 5, StandardCharsets.ISO_8859_1), "the beginning of a PDF");
        Files.move(printed, file, StandardCopyOption.REPLACE_EXISTING);
        System.out.printf("  certidão: %d bytes%n", bytes.length);
    }

    private Registrado record(Ato act, String key) throws ApiException {
        Registrado done = api.recordAct(AUTO, IBGE, act, null, key, null);
        System.out.printf("  %s  %s: %s%n", act.getDate(), act.getAct().getValue(), done.getState());
        return done;
    }

    private void refused(int status, String code, Ato act, String key) throws ApiException {
        try {
            api.recordAct(AUTO, IBGE, act, null, key, null);
        } catch (ApiException refusal) {
            check(status, refusal.getCode(), refusal.getResponseBody());
            check(true, refusal.getResponseBody().contains('"' + code + '"'), refusal.getResponseBody());
            return;
        }
        throw new IllegalStateException("not refused: " + act.getAct());
    }

    private void sweep(String asOf, String state) throws ApiException {
        check(List.of(), api.runSweep(IBGE, new PedidoDeVarredura().asOf(asOf)).getFailed(), "what failed");
        String found = api.showAuto(AUTO, IBGE, null, null, null, null).getState().getValue();
        check(state, found, "the state after the sweep");
        System.out.printf("  %s  varredura: %s%n", asOf, found);
    }

    private static Ato act(String act, String day, String actor, String role) {
        return new Ato().act(Ato.ActEnum.fromValue(act)).date(day).actor(actor).role(Ato.RoleEnum.fromValue(role));
    }

    private static Ato served(String act, String day) {
        return act(act, day, "F. Lima", "fiscal").putAdditionalProperty("method", "postal")
            .putAdditionalProperty("received", day).putAdditionalProperty("juntada", day);
    }

    private static void check(Object expected, Object found, String what) {
        if (!Objects.equals(expected, found)) {
            throw new IllegalStateException(what + ": " + found + ", not " + expected);
        }
    }
}
