/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.devicecode.spi;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * A vendor's text, which writes descriptors, rings doorbells and reads completions. It builds on
 * {@code v4j_request.h} and ends by including {@code v4j_verbs.h}; the library adds both. Immutable.
 *
 * @param vendor the number that the text defines as {@code V4J_VENDOR}
 * @param name the vendor's name, as rdma-core has it, for messages
 * @param header the file that programs include
 * @param texts file names and contents, {@code header} among them
 * @param layout the newest {@code V4J_RING_LAYOUT} that the text was written for
 */
public record VendorCode(int vendor, String name, String header, Map<String, String> texts, int layout) {
    /** {@code V4J_VENDOR} of ConnectX. */
    public static final int MLX5 = 1;

    /** {@code V4J_VENDOR} of EFA. */
    public static final int EFA = 2;

    /** {@code V4J_VENDOR} of Gaudi. */
    public static final int GAUDI = 3;

    /** {@code V4J_VENDOR} of the embedded Soft-RoCE device. */
    public static final int EMBEDDED = 4;

    /** The first number for vendors outside this project. */
    public static final int FIRST_OF_OTHERS = 0x10000;

    /**
     * Reads a vendor's only text from the provider's jar: the resource {@code devicecode/header} beside a class.
     *
     * @param vendor the number that the text defines as {@code V4J_VENDOR}
     * @param name the vendor's name, as rdma-core has it, for messages
     * @param header the file that programs include
     * @param beside a class of the provider
     * @param layout the newest {@code V4J_RING_LAYOUT} that the text was written for
     * @return the code
     * @throws IllegalStateException if the jar lacks the text
     */
    public static VendorCode ofResource(int vendor, String name, String header, Class<?> beside, int layout) {
        String path = "devicecode/" + header;
        try (InputStream in = beside.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException(
                        "the jar of " + beside.getName() + " lacks " + path + "; build it again");
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return new VendorCode(vendor, name, header, Map.of(header, text), layout);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Copies the texts.
     *
     * @param vendor the number that the text defines as {@code V4J_VENDOR}
     * @param name the vendor's name
     * @param header the file that programs include
     * @param texts file names and contents
     * @param layout the newest {@code V4J_RING_LAYOUT} that the text was written for
     */
    public VendorCode {
        texts = Map.copyOf(texts);
        if (!texts.containsKey(header)) {
            throw new IllegalArgumentException("texts has no entry for the header " + header);
        }
    }
}
