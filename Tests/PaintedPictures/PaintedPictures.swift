// PaintedPictures
