/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.discovery;

import com.example.rdma.Children;
import io.verbs4j.Context;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Verbs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;

/**
 * The discovery as a program.
 *
 * <pre>
 *   Discovery              a responder in a process of its own, and a finder in this one; what is found is verified
 *   Discovery responder    answers until its standard input ends
 *   Discovery find NAME    looks for a document
 * </pre>
 */
public final class Discovery {
    private static final int LONG = 1_000_000;

    private Discovery() {}

    /** See the class. */
    public static void main(String[] args) throws Exception {
        switch (args.length == 0 ? "" : args[0]) {
            case "responder" -> respond();
            case "find" -> find(args[1]);
            default -> demonstrate();
        }
    }

    private static Map<String, byte[]> documents() {
        byte[] book = new byte[LONG];
        new Random(1).nextBytes(book);
        return Map.of("greeting", "hello, whoever you are".getBytes(StandardCharsets.UTF_8), "book", book);
    }

    private static Context open() {
        return Verbs.open(Verbs.defaultDevice(), VerbsLevel.CURRENT);
    }

    private static void respond() throws Exception {
        try (Context context = open();
                Responder responder = new Responder(context, documents())) {
            Thread thread = new Thread(responder::run, "responder");
            thread.start();
            System.out.println("ready");
            while (System.in.read() >= 0) {
                // until the end
            }
            thread.interrupt();
            thread.join();
        }
    }

    private static void find(String name) {
        try (Context context = open();
                Finder finder = new Finder(context)) {
            System.out.println(finder.find(name)
                    .map(found -> name + ": " + found.content().length + " bytes by "
                            + found.way())
                    .orElse(name + ": nobody has it"));
        }
    }

    private static void demonstrate() throws Exception {
        Process responder = Children.start(Discovery.class, "responder");
        try (BufferedReader told =
                        new BufferedReader(new InputStreamReader(responder.getInputStream(), StandardCharsets.UTF_8));
                Context context = open();
                Finder finder = new Finder(context)) {
            if (!"ready".equals(told.readLine())) {
                throw new IOException("the responder did not start");
            }
            verify(finder, "greeting", Finder.Way.DATAGRAM);
            verify(finder, "book", Finder.Way.CONNECTION);
            if (finder.find("no such thing").isPresent()) {
                throw new IOException("found what nobody has");
            }
            responder.getOutputStream().close();
            if (responder.waitFor() != 0) {
                throw new IOException("the responder ended with " + responder.exitValue());
            }
            System.out.println("verified: a datagram, a connection, and nobody");
        } finally {
            responder.destroy();
        }
    }

    private static void verify(Finder finder, String name, Finder.Way way) throws IOException {
        Finder.Found found = finder.find(name).orElseThrow(() -> new IOException("nobody has " + name));
        if (found.way() != way || !Arrays.equals(found.content(), documents().get(name))) {
            throw new IOException(name + " came by " + found.way() + " with " + found.content().length + " bytes");
        }
        System.out.println(name + ": " + found.content().length + " bytes by " + way);
    }
}
