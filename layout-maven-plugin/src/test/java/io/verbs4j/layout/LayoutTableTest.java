/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.verbs4j.layout.Struct.Processor;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads tables, right and wrong ones. */
class LayoutTableTest {
    private static final String HEAD = "package p.layout\nheader x.h\nstruct s SLayout\n    size 16\n";

    private static LayoutTable parse(String text) throws LayoutException {
        return LayoutTable.parse("x.layout", text.lines().toList());
    }

    /** What is wrong with a table. */
    private static List<String> mistakes(String text) {
        LayoutException thrown = catchThrowableOfType(LayoutException.class, () -> parse(text));
        assertThat(thrown).as(text).isNotNull();
        return thrown.getMessage().lines().toList();
    }

    @Test
    void allThatATableMaySayIsRead() throws LayoutException {
        LayoutTable table = parse("""
                # A remark.
                package p.layout
                header a/b.h

                struct inner InnerLayout
                    size 4
                      0 u16 a
                struct outer OuterLayout @20  # One line,
                    # and another.
                    size 32 40@24 !aarch64
                    size 48 aarch64
                    origin 8
                     -8 u64      _first.of
                      0 [8]      part
                      4 u8[4]    part.second @24
                  |   6 u32      other
                     16 inner[2] pair        @30 aarch64  # In steps of 4,
                        # in network order.
                """);

        assertThat(table.packageName).isEqualTo("p.layout");
        assertThat(table.header).isEqualTo("a/b.h");
        Struct outer = table.structs.get(1);
        assertThat(outer.since).isEqualTo(20);
        assertThat(outer.comment).containsExactly("One line,", "and another.");
        assertThat(outer.origin).isEqualTo(8);
        assertThat(outer.sizes).extracting(Struct.Sizes::newest).containsExactly(40, 48);
        assertThat(outer.sizes).extracting(Struct.Sizes::constant).containsExactly("SIZEOF", "SIZEOF_AARCH64");
        assertThat(outer.fields)
                .extracting(Struct.Field::constant)
                .containsExactly("FIRST_OF", "PART", "PART_SECOND", "OTHER", "PAIR_AARCH64");
        assertThat(outer.fields).extracting(Struct.Field::offset).containsExactly(-8, 0, 4, 6, 16);
        Struct.Field pair = outer.fields.get(4);
        assertThat(pair.since()).isEqualTo(30);
        assertThat(pair.comment()).containsExactly("In steps of 4,", "in network order.");
        assertThat(LayoutChecks.size(table, pair.type())).isEqualTo(8);
    }

    @ParameterizedTest
    @CsvSource({
        "u8, 1",
        "u16, 2",
        "u32, 4",
        "u64, 8",
        "u16[3], 6",
        "[20], 20",
        "s, 16",
        "s[3], 48",
        "u128, 0",
        "other, 0",
        "u8[], 0",
        "'', 0",
        "u8[0], 0"
    })
    void typeHasSize(String type, int size) throws LayoutException {
        assertThat(LayoutChecks.size(parse(HEAD), type)).isEqualTo(size);
    }

    @Test
    void overlapFails() {
        assertThat(mistakes(HEAD + "  0 u64 a\n  7 u8 b"))
                .containsExactly("x.layout:6: b overlaps a of line 5; in a union, the line begins with |");
    }

    @Test
    void unionThatOverlapsNothingFails() {
        assertThat(mistakes(HEAD + "  0 u64 a\n| 8 u8 b"))
                .containsExactly("x.layout:6: expected package, header or struct instead of '|'");
        assertThat(mistakes(HEAD + "  0 u64 a\n  | 8 u8 b"))
                .containsExactly("x.layout:6: b begins with | but overlaps nothing above it");
    }

    @Test
    void memberOutsideItsContainerFails() {
        assertThat(mistakes(HEAD + "  0 u64 a\n  6 u32 a.b"))
                .containsExactly("x.layout:6: a.b is not within a of line 5");
        assertThat(mistakes(HEAD + "  4 u64 a\n  2 u32 a.b"))
                .containsExactly("x.layout:6: a.b is not within a of line 5");
    }

    @ParameterizedTest
    @ValueSource(strings = {"int", "u24", "t", "u8[4", "u8[]", "[0]"})
    void unknownTypeFails(String type) {
        assertThat(mistakes(HEAD + "  0 u64 a\n  8 " + type + " b"))
                .containsExactly("x.layout:6: unknown type '" + type + "'");
    }

    @Test
    void structWhoseSizeDependsOnTheProcessorIsNoType() {
        assertThat(mistakes(HEAD + "  0 t a\nstruct t TLayout\n  size 8 !aarch64\n  size 16 aarch64"))
                .containsExactly("x.layout:5: unknown type 't'");
    }

    @Test
    void fieldOutsideItsStructFails() {
        assertThat(mistakes(HEAD + "  12 u64 a"))
                .containsExactly("x.layout:5: a is at 12 to 20, outside struct s of 16 bytes");
        assertThat(mistakes(HEAD + "  -4 u32 a"))
                .containsExactly("x.layout:5: a is at -4 to 0, outside struct s of 16 bytes");
        assertThat(mistakes(HEAD + "  origin 8\n  4 u64 a"))
                .containsExactly("x.layout:6: a is at 12 to 20, outside struct s of 16 bytes");
    }

    @Test
    void fieldOfOneProcessorIsComparedWithItsSizeAlone() throws LayoutException {
        String table = "package p\nheader x.h\nstruct s SLayout\n  size 8 !aarch64\n  size 16 aarch64\n";
        assertThat(parse(table + "  0 u64 a !aarch64\n  8 u64 a aarch64").structs)
                .hasSize(1);
        assertThat(mistakes(table + "  8 u64 a"))
                .containsExactly("x.layout:6: a is at 8 to 16, outside struct s of 8 bytes");
    }

    @Test
    void duplicateFails() {
        assertThat(mistakes(HEAD + "  0 u64 a\n  8 u64 a")).containsExactly("x.layout:6: A is a duplicate of line 5");
        assertThat(mistakes(HEAD + "  0 u32 a.b\n  8 u32 a_b"))
                .containsExactly("x.layout:6: A_B is a duplicate of line 5");
        assertThat(mistakes(HEAD + "  size 20")).containsExactly("x.layout:5: SIZEOF is a duplicate of line 4");
        assertThat(mistakes(HEAD + "struct s TLayout\n  size 4"))
                .containsExactly("x.layout:5: struct s is a duplicate of line 3");
        assertThat(mistakes(HEAD + "struct t SLayout\n  size 4"))
                .containsExactly("x.layout:5: class SLayout is a duplicate of line 3");
        assertThat(mistakes("package p\npackage q\nheader x.h")).containsExactly("x.layout:2: a second package");
        assertThat(mistakes("package p\nheader x.h\nheader x.h")).containsExactly("x.layout:3: a second header");
    }

    @Test
    void structWithoutASizeFails() {
        assertThat(mistakes("package p\nheader x.h\nstruct s SLayout\n  0 u8 a"))
                .containsExactly("x.layout:3: struct s has no size");
        assertThat(mistakes("package p\nheader x.h\nstruct s SLayout\n  size 4 aarch64"))
                .containsExactly("x.layout:3: struct s has no size");
    }

    @ParameterizedTest
    @CsvSource({"16 16@20", "16 20@30 24@30", "16@30 20@20", "16 20"})
    void sizesOutOfOrderFail(String sizes) {
        assertThat(mistakes("package p\nheader x.h\nstruct s SLayout\n  size " + sizes))
                .containsExactly("x.layout:4: sizes out of order or repeated");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "x u8 a; expected an offset instead of 'x'",
                "0; expected the name of a member",
                "0 u8; expected the name of a member",
                "0 u8 a-b; expected the name of a member instead of 'a-b'",
                "0 u8 a @new; expected a release, such as @24 instead of '@new'",
                "0 u8 a arm; unexpected 'arm'",
                "0 u8 a aarch64 @24; unexpected 'aarch64 @24'",
                "size; size takes bytes, or bytes@release, instead of ''",
                "size big; size takes bytes, or bytes@release, instead of 'big'",
                "size 4 big; unexpected 'big'",
                "origin; expected the byte that has offset 0",
            })
    void lineThatCannotBeReadFails(String line, String message) {
        assertThat(mistakes(HEAD + "  " + line)).containsExactly("x.layout:5: " + message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "struct; expected the name of a structure",
                "struct s; expected a class named ...Layout",
                "struct s Other; expected a class named ...Layout instead of 'Other'",
                "struct s SLayout 12; unexpected '12'",
                "union u ULayout; expected package, header or struct instead of 'union'",
                "header; header takes one name",
                "package a b; package takes one name",
                "'  0 u8 a'; a line of a structure before the first structure",
                "'  # lost'; a comment that belongs to no statement",
            })
    void statementThatCannotBeReadFails(String line, String message) {
        assertThat(mistakes(line)).contains("x.layout:1: " + message);
    }

    @Test
    void tableWithoutPackageOrHeaderFails() {
        assertThat(mistakes("header x.h")).containsExactly("x.layout:1: a table needs a package and a header");
        assertThat(mistakes("package p")).containsExactly("x.layout:1: a table needs a package and a header");
    }

    @Test
    void allMistakesAreReportedTogether() {
        assertThat(mistakes(HEAD + "  0 u64 a\n  4 u64 b\n  12 u64 c"))
                .containsExactly(
                        "x.layout:6: b overlaps a of line 5; in a union, the line begins with |",
                        "x.layout:7: c is at 12 to 20, outside struct s of 16 bytes");
        assertThat(mistakes(HEAD + "  u64 a\n  u64 b"))
                .containsExactly(
                        "x.layout:5: expected an offset instead of 'u64'",
                        "x.layout:6: expected an offset instead of 'u64'");
    }

    @ParameterizedTest
    @CsvSource({
        "ANY, ANY, true",
        "ANY, AARCH64, true",
        "AARCH64, AARCH64, true",
        "AARCH64, NOT_AARCH64, false",
        "AARCH64, X86_64, false",
        "AARCH64, NOT_X86_64, true",
        "NOT_AARCH64, X86_64, true",
        "NOT_AARCH64, NOT_X86_64, true",
        "X86_64, NOT_X86_64, false"
    })
    void processorsMeet(Processor one, Processor other, boolean meet) {
        assertThat(one.meets(other)).isEqualTo(meet);
        assertThat(other.meets(one)).isEqualTo(meet);
    }
}
