/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The compatibility matrix: programs of every level, compiled and run against parties of every other. */
package io.verbs4j.compat.matrix;
