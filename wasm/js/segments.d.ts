/**
 * The parts of SMS texts, without the validator. This entry has its own module.
 *
 * @packageDocumentation
 */
export {
  type AnnotatedCharacter, type Annotation, type Bytes, type Cause, type CompiledModule, type Encoding, NotInitialised, type Part,
  type SegmentCount, type SegmentOptions, type Segments, type Source, type Span, TextError, annotate, causes, countSegments, init,
  initSync, isReady, segments,
} from "./index.js";
