/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses sizes like 64, 64K and 8M. */
final class SizeConverter implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
        String upper = text.toUpperCase(Locale.ROOT);
        int shift = upper.endsWith("K") ? 10 : upper.endsWith("M") ? 20 : 0;
        try {
            long size = Long.parseLong(shift == 0 ? upper : upper.substring(0, upper.length() - 1));
            return Math.toIntExact(Math.multiplyExact(size, 1L << shift));
        } catch (NumberFormatException | ArithmeticException e) {
            throw new TypeConversionException("'" + text + "' is not a size like 64, 64K or 8M");
        }
    }
}
