/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Tests of the compatibility matrix, and the matrix as a test. */
package io.verbs4j.compat.matrix;
