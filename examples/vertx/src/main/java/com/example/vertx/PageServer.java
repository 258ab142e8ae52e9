/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.vertx;

import io.verbs4j.netty.vertx.VerbsTransport;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.TimeUnit;

/** Serves HTTP/1.1 and HTTP/2 at an address and a port, which may be 0, until its input ends. */
public final class PageServer {
    private static final int SECONDS = 60;
    private static final int NOT_FOUND = 404;

    private PageServer() {}

    /** Runs the server; arguments: address, port. */
    public static void main(String... arguments) throws Exception {
        // 1 of 1 lines that differ; over TCP: Vertx.vertx()
        Vertx vertx = Vertx.builder().withTransport(new VerbsTransport()).build();
        try {
            HttpServer server = vertx.createHttpServer()
                    .requestHandler(PageServer::answer)
                    .listen(Integer.parseInt(arguments[1]), arguments[0])
                    .await(SECONDS, TimeUnit.SECONDS);
            System.out.println("listening on port " + server.actualPort());
            while (System.in.read() >= 0) {
                // until the end
            }
        } finally {
            vertx.close().await(SECONDS, TimeUnit.SECONDS);
        }
    }

    private static void answer(HttpServerRequest request) {
        if (request.method() == HttpMethod.POST) {
            request.body()
                    .onSuccess(body -> request.response().end(body))
                    .onFailure(failure -> request.response().reset());
        } else if (request.path().equals("/")) {
            request.response().end("a page over " + request.version());
        } else {
            request.response().setStatusCode(NOT_FOUND).end();
        }
    }
}
