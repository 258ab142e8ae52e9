/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.devicecode;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.devicecode.spi.RingSource;
import io.verbs4j.devicecode.spi.VendorCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The device-side verbs of a device's provider, as texts for a compiler: gcc or clang, nvcc, or NVRTC in this process.
 * A program includes {@link #header()}, and calls the same functions ({@code v4j_dev_...}) whatever the vendor.
 *
 * <pre>
 *   DeviceCode code = DeviceCode.of(context);
 *   code.writeTo(folder);        // nvcc -I folder kernel.cu
 *   code.texts();                // or for NVRTC: names and contents of headers
 * </pre>
 *
 * Immutable.
 */
public final class DeviceCode {
    private static final List<String> COMMON =
            List.of("v4j_primitives.h", "v4j_ring.h", "v4j_request.h", "v4j_verbs.h");

    private final VendorCode vendor;
    private final Map<String, String> texts;

    private DeviceCode(VendorCode vendor) {
        this.vendor = vendor;
        TreeMap<String, String> all = new TreeMap<>(vendor.texts());
        for (String name : COMMON) {
            all.put(name, common(name));
        }
        texts = Map.copyOf(all);
    }

    /**
     * Returns the device code for an open device.
     *
     * @param context the device
     * @return its provider's code
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if the provider has none; {@link Errno#EINVAL} after close
     */
    public static DeviceCode of(Context context) {
        return new DeviceCode(source(context, "device_code").code());
    }

    /**
     * Returns a vendor's device code without a device, for instance to compile it when a program is built.
     *
     * @param vendor the vendor's texts
     * @return the code, with the common texts
     */
    public static DeviceCode of(VendorCode vendor) {
        return new DeviceCode(vendor);
    }

    /** Returns the provider's part. */
    static RingSource source(Context context, String verb) {
        RingSource source = context.vendor(RingSource.class);
        if (source == null) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "the provider of " + context.device().name()
                            + " has no device code; the providers for mlx5, EFA and the embedded device have");
        }
        return source;
    }

    private static String common(String name) {
        try (InputStream in = DeviceCode.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("verbs-device-code's jar lacks " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the vendor's name, as rdma-core has it} */
    public String vendor() {
        return vendor.name();
    }

    /** {@return the name of the file to include} */
    public String header() {
        return vendor.header();
    }

    /** {@return all files: names and contents} */
    public Map<String, String> texts() {
        return texts;
    }

    /** {@return the newest layout of {@code struct v4j_ring} that the vendor's text was written for} */
    public int layout() {
        return vendor.layout();
    }

    /**
     * Returns the options that a compiler needs, besides where the files are.
     *
     * @param language {@link CodeLanguage#C} or {@link CodeLanguage#CUDA}
     * @return the options; none for C
     * @throws VerbsException {@link Errno#EOPNOTSUPP} for another language
     */
    public List<String> options(int language) {
        return switch (language) {
            case CodeLanguage.C -> List.of();
            case CodeLanguage.CUDA -> List.of("--std=c++17");
            default ->
                throw new VerbsException(
                        Errno.EOPNOTSUPP,
                        "device_code",
                        "no device code in " + CodeLanguage.toString(language) + "; use C or CUDA");
        };
    }

    /**
     * Writes all files to a folder, over files of the same names.
     *
     * @param folder the folder; it is created if it does not exist
     * @throws IOException if a file can't be written
     */
    public void writeTo(Path folder) throws IOException {
        Files.createDirectories(folder);
        for (Map.Entry<String, String> text : texts.entrySet()) {
            Files.writeString(folder.resolve(text.getKey()), text.getValue());
        }
    }
}
