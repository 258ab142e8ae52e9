/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each field of a result accepts only the type that its accessor returns, so no program gets a ClassCastException. */
class OutputTypesTest {
    private static final Map<Class<?>, Object> VALUES = Map.of(
            int.class,
            7,
            long.class,
            7L,
            String.class,
            "seven",
            Gid.class,
            Gid.of(1, 7),
            DeviceAttr.class,
            new DeviceAttr());

    static Stream<Supplier<OutputAttr>> answers() {
        return Stream.of(ContextAttr::new, DeviceAttrEx::new, GidEntry::new, ValuesEx::new);
    }

    /** Returns the accessor of a field: {@code hcaCoreClock()} for {@code HCA_CORE_CLOCK}. */
    private static Method reader(OutputAttr answer, Field index) throws NoSuchMethodException {
        StringBuilder name = new StringBuilder();
        for (String word : index.getName().toLowerCase(Locale.ROOT).split("_", -1)) {
            name.append(name.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        return answer.getClass().getMethod(name.toString());
    }

    private static Stream<Field> indices(OutputAttr answer) {
        return Stream.of(answer.getClass().getFields())
                .filter(field -> field.getType() == int.class)
                .filter(field -> !field.getName().endsWith("_WORD")
                        && !field.getName().equals("WORDS")
                        && !field.getName().startsWith("SLOT_"));
    }

    @ParameterizedTest
    @MethodSource("answers")
    void eachFieldAcceptsOnlyTypeOfItsReader(Supplier<OutputAttr> maker) throws ReflectiveOperationException {
        OutputAttr answer = maker.get();
        assertThat(indices(answer)).hasSize(answer.size());
        for (Field constant : indices(answer).toList()) {
            int index = constant.getInt(null);
            Method reader = reader(answer, constant);
            Object value = VALUES.get(reader.getReturnType());
            for (Object other : VALUES.values()) {
                if (other != value) {
                    assertThatThrownBy(() -> answer.offer(index, other))
                            .as("%s of %s", other.getClass(), reader)
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("field " + index + " of "
                                    + answer.getClass().getSimpleName() + " takes ");
                }
            }
            assertThat(answer.has(index)).isFalse();
            assertThat(answer.offer(index, value)).isTrue();
            assertThat(reader.invoke(answer)).isEqualTo(value);
        }
    }

    @Test
    void messageNamesTypeToOffer() {
        assertThatThrownBy(() -> new DeviceAttrEx().offer(DeviceAttrEx.HCA_CORE_CLOCK, 1_000_000))
                .hasMessage("field 6 of DeviceAttrEx takes Long, not Integer: pass the type that its reader returns");
        assertThatThrownBy(() -> new DeviceAttrEx().offer(DeviceAttrEx.ORIG_ATTR, null))
                .hasMessageContaining("takes DeviceAttr, not null");
        assertThat(new DeviceAttrEx().offer(1000, 1)).as("of a later level").isFalse();
    }
}
