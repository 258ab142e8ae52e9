/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.vertx;

import io.verbs4j.netty.vertx.VerbsTransport;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Gets a page of a {@link PageServer}, and has it send back what it was sent, by both versions of HTTP. */
public final class PageClient {
    private static final int SECONDS = 60;
    private static final int LENGTH = 10 << 20;

    private PageClient() {}

    /** Runs the client; arguments: host, port. */
    public static void main(String... arguments) throws Exception {
        // 1 of 1 lines that differ; over TCP: Vertx.vertx()
        Vertx vertx = Vertx.builder().withTransport(new VerbsTransport()).build();
        try {
            for (HttpVersion version : new HttpVersion[] {HttpVersion.HTTP_1_1, HttpVersion.HTTP_2}) {
                HttpClient client = vertx.createHttpClient(new HttpClientOptions()
                        .setDefaultHost(arguments[0])
                        .setDefaultPort(Integer.parseInt(arguments[1]))
                        .setProtocolVersion(version));
                System.out.println(get(client).await(SECONDS, TimeUnit.SECONDS));
                byte[] bytes = new byte[LENGTH];
                new Random(1).nextBytes(bytes);
                Buffer sent = Buffer.buffer(bytes);
                Buffer received = post(client, sent).await(SECONDS, TimeUnit.SECONDS);
                System.out.println(received.length() + " bytes came back"
                        + (received.equals(sent) ? "" : ", and not those that were sent"));
                client.close().await(SECONDS, TimeUnit.SECONDS);
            }
        } finally {
            vertx.close().await(SECONDS, TimeUnit.SECONDS);
        }
    }

    private static Future<String> get(HttpClient client) {
        return client.request(HttpMethod.GET, "/")
                .compose(request -> request.send())
                .compose(HttpClientResponse::body)
                .map(Buffer::toString);
    }

    private static Future<Buffer> post(HttpClient client, Buffer body) {
        return client.request(HttpMethod.POST, "/")
                .compose(request -> request.send(body))
                .compose(HttpClientResponse::body);
    }
}
